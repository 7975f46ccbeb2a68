package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// content reads a file, in a directory with this number of files.
func content(t *testing.T, path string, files int) string {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, list, files, "nothing else is left there")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestAFileIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, Write(path, text("new")))
	assert.Equal(t, "new", content(t, path, 1))
	usual := filepath.Join(t.TempDir(), "usual")
	require.NoError(t, os.WriteFile(usual, nil, 0o666))
	assert.Equal(t, mode(t, usual), mode(t, path), "a new file is like any other")

	require.NoError(t, os.Chmod(path, 0o640))
	require.NoError(t, Write(path, text("newer")))
	assert.Equal(t, "newer", content(t, path, 1))
	assert.Equal(t, os.FileMode(0o640), mode(t, path))
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode()
}

func TestWhatFailsLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	broken := func(w io.Writer) error { return errors.Join(text("half")(w), errors.New("broken")) }
	assert.EqualError(t, Write(path, broken), "broken")
	assert.NoFileExists(t, path)
	require.NoError(t, Write(path, text("old")))
	assert.EqualError(t, Write(path, broken), "broken")
	assert.Equal(t, "old", content(t, path, 1))
	assert.ErrorIs(t, Write(filepath.Join(path, "b"), text("x")), errOfAFile(t, path))
	assert.ErrorIs(t, Write(filepath.Join(filepath.Dir(path), "no", "b"), text("x")), os.ErrNotExist)
}

// errOfAFile is what a file says that is taken for a directory.
func errOfAFile(t *testing.T, path string) error {
	t.Helper()
	_, err := os.Stat(filepath.Join(path, "b"))
	var of *os.PathError
	require.ErrorAs(t, err, &of)
	return of.Err
}

func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	for _, want := range []string{"first", "second"} {
		require.NoError(t, Write(link, text(want)))
		assert.Equal(t, want, content(t, target, 1))
		to, err := os.Readlink(link)
		require.NoError(t, err)
		assert.Equal(t, target, to)
	}
}

func TestADeviceIsWrittenTo(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	assert.ErrorContains(t, Write("/dev/full", text("x")), "write /dev/full: no space left")
	require.NoError(t, Write(os.DevNull, text("x")))
	assert.NotZero(t, mode(t, os.DevNull)&os.ModeDevice)
}

// A name that a system just takes has room for no more in front.
func TestLongNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("é", 127)+"x")
	require.NoError(t, Write(path, text("all")))
	assert.Equal(t, "all", content(t, path, 1))
}
