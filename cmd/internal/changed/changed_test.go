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
		"go.mod":                     "module m\n\ngo 1.26.0\n",
		"x_test.go":                  "package m\n",
		"plain/a.go":                 "package plain\n",
		"frameworks/ttrpc/t.go":      "package ttrpc\n",
		"frameworks/ttrpc/t_test.go": "package ttrpc\n",
		"frameworks/nats/go.mod":     "module m/nats\n\ngo 1.26.0\n",
		"frameworks/suite/go.mod":    "module m/suite\n\ngo 1.26.0\n",
		"a/go.mod":                   "module m/a\n\ngo 1.26.0\n",
		"a/b/b.go":                   "package b\n",
		"a/b/b_test.go":              "package b\n\nimport \"testing\"\n\nfunc TestB(*testing.T) {}\n",
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
	all := []string{"./frameworks/grpc", "./frameworks/internal/...", "./frameworks/netrpc", "./frameworks/tcp"}
	for _, c := range []struct {
		about, file, text string // which changes, after those before
		changed           []module
		tested            []string
		more              []string // packages of the root's module
	}{
		{"nothing", "", "", nil, []string{"a", "frameworks/suite", "."}, nil},
		{"a file of a package with tests", "a/b/b.go", "package b // changed\n", []module{{"a", []string{"./b"}}}, []string{"a", "frameworks/suite", "."}, nil},
		{"a file that git does not know", "frameworks/nats/n.go", "package nats\n", []module{{"a", []string{"./b"}}, {"frameworks/nats", nil}}, []string{"a", "frameworks/nats", "frameworks/suite", "."}, nil},
		{"a framework of the root's module", "frameworks/ttrpc/t.go", "package ttrpc // changed\n", []module{{"a", []string{"./b"}}, {".", []string{"./frameworks/ttrpc"}}, {"frameworks/nats", nil}}, []string{"a", "frameworks/nats", "frameworks/suite", "."}, []string{"./frameworks/ttrpc"}},
	} {
		if c.file != "" {
			write(t, filepath.Join(root, c.file), c.text)
		}
		got, err := changes(root, "main")
		require.NoError(t, err)
		assert.ElementsMatch(t, c.changed, got.changed, c.about)
		modules, packages := got.tested()
		assert.ElementsMatch(t, c.tested, modules, c.about)
		assert.Equal(t, append(append([]string{".", "./codecs/..."}, all...), c.more...), packages, c.about)
	}
	got, err := changes(root, usual)
	require.NoError(t, err)
	assert.Len(t, got.changed, 3, "without a remote since HEAD")
	_, err = changes(root, "nosuch")
	assert.ErrorContains(t, err, "-since=nosuch: git merge-base: ")
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
