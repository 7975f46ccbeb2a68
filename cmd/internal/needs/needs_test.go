package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// played is set in a process that acts as the command.
const played = "NEEDS_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(played) == "" {
		os.Exit(m.Run())
	}
	main()
}

func TestNeeds(t *testing.T) {
	dir := t.TempDir()
	for _, n := range needs {
		require.NoError(t, os.WriteFile(filepath.Join(dir, n.program), []byte("#!/bin/sh\n"), 0o700))
	}
	for _, c := range []struct{ about, without, args, says string }{
		{"nothing is missing", "none", "make test", ""},
		{"of that step", "java", "make test", ""},
		{"a program of it", "iperf3", "make test", "did not run: make test: the row of iperf3 in Bulk: there is no iperf3\nto have it run: apt-get install iperf3\n"},
		{"of any step", "mvn", "", "did not run: make peers: there is no mvn\nto have it run: apt-get install maven\n"},
		{"packages alone", "cc", "-packages", "gcc libc6-dev\n"},
	} {
		program := filepath.Join(dir, c.without)
		_ = os.Rename(program, program+".away")
		cmd := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(c.args)...)
		cmd.Env = append(os.Environ(), played+"=1", "PATH="+dir)
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.says, string(out), c.about)
		_ = os.Rename(program+".away", program)
	}
}

// Programs that every checkout takes, and those of a test of this package.
var given = []string{"go", "git", "make", "sh", "bash"}

// TestProgramsOfTestsAreListed, so that what is skipped without one is told.
func TestProgramsOfTestsAreListed(t *testing.T) {
	looked, found := regexp.MustCompile(`LookPath\("([^"]+)"\)`), 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range looked.FindAllStringSubmatch(string(text), -1) {
			listed := slices.ContainsFunc(needs[:], func(n need) bool { return n.program == m[1] })
			assert.True(t, listed || slices.Contains(given, m[1]), "%s looks for %s: cmd/internal/needs has to list it", path, m[1])
			found++
		}
		return err
	})
	require.NoError(t, err)
	assert.Positive(t, found)
}
