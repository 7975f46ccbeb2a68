package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repository has three modules and a commit.
func repository(t *testing.T) (root string) {
	root = t.TempDir()
	for file, text := range map[string]string{
		"go.mod":                 "module m\n\ngo 1.26.0\n",
		"x_test.go":              "package m\n",
		"frameworks/nats/go.mod": "module m/nats\n\ngo 1.26.0\n",
		"a/go.mod":               "module m/a\n\ngo 1.26.0\n",
		"a/b/b.go":               "package b\n",
		"a/b/b_test.go":          "package b\n\nimport \"testing\"\n\nfunc TestB(*testing.T) {}\n",
		"a/c/c_test.go":          "package c\n\nimport _ \"m/a/b\"\n",
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

func TestChanges(t *testing.T) {
	root := repository(t)
	for _, c := range []struct {
		about, file, text string // which changes, after those before
		changed           []module
		reached           []string // in the module a
	}{
		{"nothing", "", "", nil, nil},
		{"a file below a package with tests", "a/b/testdata/x.txt", "x\n", []module{{dir: "a", data: []string{"a/b"}, packages: []string{"./b"}}}, []string{"m/a/b"}},
		{"a package that another imports", "a/b/b.go", "package b // changed\n", []module{
			{dir: "a", dirs: []string{"a/b"}, data: []string{"a/b"}, packages: []string{"./b"}},
		}, []string{"m/a/b", "m/a/c"}},
		{"a document, and a file that git does not know", "frameworks/nats/n.md", "# NATS\n", []module{
			{dir: "a", dirs: []string{"a/b"}, data: []string{"a/b"}, packages: []string{"./b"}},
			{dir: "frameworks/nats", data: []string{"frameworks/nats"}},
			{dir: ".", data: []string{"."}, packages: []string{"./."}},
		}, []string{"m/a/b", "m/a/c"}},
	} {
		if c.file != "" {
			write(t, filepath.Join(root, c.file), c.text)
		}
		got, err := changes(root, "main")
		require.NoError(t, err)
		assert.ElementsMatch(t, c.changed, got.changed, c.about)
		for _, m := range got.changed {
			if m.dir == "a" {
				reached, err := got.reached(m)
				require.NoError(t, err)
				assert.ElementsMatch(t, c.reached, reached, c.about)
			}
		}
	}
	got, err := changes(root, usual)
	require.NoError(t, err)
	assert.Len(t, got.changed, 3, "without a remote since HEAD")
	_, err = changes(root, "nosuch")
	assert.ErrorContains(t, err, "-since=nosuch: git merge-base: ")
}

// TestReached: a change of a package without importers has its own tests run, and no others.
func TestReached(t *testing.T) {
	got := tree{root: repository(t)}
	reached, err := got.reached(module{dir: "a", dirs: []string{"a/c"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"m/a/c"}, reached)
}

// TestFormatted looks at this package, and at one with a line that gofumpt would change.
func TestFormatted(t *testing.T) {
	got := tree{root: "../../.."}
	assert.True(t, got.formatted([]string{"cmd/internal/changed"}))
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.go"), "package x\nvar  x = 1\n")
	assert.False(t, got.formatted([]string{dir}))
}

// TestFlaky has a test that fails the second time it is run.
func TestFlaky(t *testing.T) {
	root := repository(t)
	write(t, filepath.Join(root, "a/b/new_test.go"), "package b\n\nimport \"testing\"\n\nvar runs int\n\nfunc TestC(t *testing.T) {\n\tif runs++; runs > 1 {\n\t\tt.Fail()\n\t}\n}\n")
	changed, err := changes(root, "main")
	require.NoError(t, err)
	assert.True(t, changed.flaky(1, nil))
	assert.False(t, changed.flaky(2, nil))
	assert.True(t, changed.flaky(2, []string{"-run=TestB"}))
}
