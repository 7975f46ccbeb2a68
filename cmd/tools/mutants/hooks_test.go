package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	forgetRepository() // tests commit, and may run in a hook
	os.Exit(m.Run())
}

// In a hook, copies are of the root, and the user's repository and hooks are left alone.
func TestInAHook(t *testing.T) {
	root, other := repository(t, map[string]string{"go.mod": "module m\n", "m.go": "package m\n"}), repository(t, map[string]string{"x": ""})
	templates := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(templates, "hooks"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(templates, "hooks", "post-checkout"), []byte("#!/bin/sh\nexit 1\n"), 0o700))
	t.Setenv("GIT_TEMPLATE_DIR", templates)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git/index"))
	forgetRepository()
	l, err := newLab(t.Context(), root, 1)
	require.NoError(t, err)
	defer l.close()
	sites, err := statements(l.copy(0))
	assert.NoError(t, err)
	assert.Empty(t, sites)
	out, err := exec.Command("git", "-C", l.copy(0), "ls-files").Output()
	assert.NoError(t, err)
	assert.Equal(t, "go.mod m.go", strings.Join(strings.Fields(string(out)), " "))
}
