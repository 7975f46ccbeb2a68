package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTold(t *testing.T) {
	is := surfaceText{"loadgen", "func Run()\n"}
	line := "- It runs (api: loadgen " + is.digest() + ")\n"
	for _, c := range []struct {
		about, changelog string
		fails            bool
	}{
		{"the newest line tells of the surface as it is", "## Unreleased\n\n" + line, false},
		{"older lines tell of how it was", line + "- It walked (api: loadgen 00000000)\n", false},
		{"a line of another surface does not do", "- It runs (api: codecs-suite " + is.digest() + ")\n", true},
		{"it was so once, and then was not", "- It walks (api: loadgen 00000000)\n" + line, true},
		{"nothing is told", "# Changelog\n", true},
	} {
		err := told(c.changelog, []surfaceText{is})
		if !c.fails {
			assert.NoError(t, err, c.about)
			continue
		}
		assert.EqualError(t, err, "testdata/api/loadgen.txt has changed: put a line first below Unreleased in CHANGELOG.md that says how, and ends in\n\t(api: loadgen "+is.digest()+")", c.about)
	}
}

func TestSurfacesThatAreNoMoreHaveNoFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, write(dir, []surfaceText{{"a", "1\n"}, {"b", "2\n"}}))
	require.NoError(t, write(dir, []surfaceText{{"b", "3\n"}}))
	files, err := filepath.Glob(dir + "/*")
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "b.txt")}, files)
	text, err := os.ReadFile(files[0])
	assert.NoError(t, err)
	assert.Equal(t, "3\n", string(text))
}

// TestWhatBreaks compares a module with the commit before.
func TestWhatBreaks(t *testing.T) {
	const before = "package m\n\ntype C struct{ A int }\n\nfunc F() {}\n\nfunc G(n int) {}\n"
	for _, c := range []struct{ about, now, want string }{
		{"other code of the same functions changes nothing", before + "\nfunc f() {}\n", "m: no change\n"},
		{"a parameter may have another name", "package m\n\ntype C struct{ A int }\n\nfunc F() {}\n\nfunc G(k int) {}\n", "m: no change\n"},
		{"a function is gone", "package m\n\ntype C struct{ A int }\n\nfunc G(n int) {}\n", "m breaks: F: removed\n"},
		{"a function takes another type", "package m\n\ntype C struct{ A int }\n\nfunc F() {}\n\nfunc G(n int64) {}\n", "m breaks: G: changed from func(int) to func(int64)\n"},
		{"a field is added", "package m\n\ntype C struct{ A, B int }\n\nfunc F() {}\n\nfunc G(n int) {}\n", "m adds: C.B: added\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			modules := []string{"m", "new"}
			plant(t, root, "m/go.mod", "module example.com/m\n\ngo 1.26.0\n")
			plant(t, root, "m/m.go", before)
			git(t, root, "init", "-q")
			git(t, root, "add", ".")
			git(t, root, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first")
			plant(t, root, "m/m.go", c.now)
			plant(t, root, "new/go.mod", "module example.com/new\n\ngo 1.26.0\n")
			plant(t, root, "new/new.go", "package new\n")
			var out bytes.Buffer
			require.NoError(t, compare(&out, root, "HEAD", modules))
			assert.Equal(t, c.want+"new: it is new\n", out.String())
			assert.ErrorContains(t, compare(&out, root, "v0.1.0", modules), "v0.1.0: fatal: not a valid object name: v0.1.0: git fetch --depth=1 origin v0.1.0 may have it")
		})
	}
}

func plant(t *testing.T, root, file, text string) {
	t.Helper()
	path := filepath.Join(root, file)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
