package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree is a repository of two modules, with a commit.
func tree(t *testing.T) string {
	root := t.TempDir()
	for file, text := range map[string]string{
		"go.mod":        "module m\n\ngo 1.26.0\n",
		"x_test.go":     "package m\n",
		"plain/a.go":    "package plain\n",
		"a/go.mod":      "module m/a\n\ngo 1.26.0\n",
		"a/b/b.go":      "package b\n",
		"a/b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestB(*testing.T) {}\n",
	} {
		write(t, filepath.Join(root, file), text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.hooksPath=" + os.DevNull, "commit", "-qm", "first"}} {
		_, err := git(root, args...)
		require.NoError(t, err)
	}
	return root
}

func write(t *testing.T, file, text string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

func TestChangedPackages(t *testing.T) {
	root := tree(t)
	files, err := changed(root, "main")
	require.NoError(t, err)
	assert.Empty(t, packages(root, files), "nothing has changed")

	write(t, filepath.Join(root, "a/b/b.go"), "package b // changed\n")
	write(t, filepath.Join(root, "a/b/new_test.go"), "package b // git does not know it\n")
	write(t, filepath.Join(root, "plain/a.go"), "package plain // without tests\n")
	files, err = changed(root, "main")
	require.NoError(t, err)
	modules := packages(root, files)
	assert.Equal(t, []module{{"a", []string{"./b"}}}, modules)
	assert.True(t, modules[0].test(root, 2, nil))

	write(t, filepath.Join(root, "a/b/new_test.go"), "package b\n\nimport \"testing\"\n\nvar runs int\n\nfunc TestC(t *testing.T) {\n\tif runs++; runs > 1 {\n\t\tt.Fail()\n\t}\n}\n")
	assert.True(t, modules[0].test(root, 1, nil))
	assert.False(t, modules[0].test(root, 2, nil), "it fails the second time")
	assert.True(t, modules[0].test(root, 2, []string{"-run=TestB"}))

	write(t, filepath.Join(root, "x_test.go"), "package m // of the root\n")
	files, err = changed(root, "main")
	require.NoError(t, err)
	assert.Equal(t, module{".", []string{"./."}}, packages(root, files)[1])

	_, err = changed(root, "nosuch")
	assert.ErrorContains(t, err, "-since=nosuch: git merge-base: ")
}
