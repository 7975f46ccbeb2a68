//go:build unix

package rig

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeProfiler writes text as a profile, and then fails with err.
type fakeProfiler struct {
	text  string
	err   error
	ended *int
}

func (fakeProfiler) StartProfile(context.Context, string) error { return nil }

func (f fakeProfiler) StopProfile(_ context.Context, _ string, w io.Writer) error {
	*f.ended++
	_, err := io.WriteString(w, f.text)
	return errors.Join(err, f.err)
}

// TestFilesOfProfiles: a profile has the mode of any file of its user, and one that is
// written again keeps its mode and its link.
func TestFilesOfProfiles(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	ended := 0
	good, dir := fakeProfiler{"new", nil, &ended}, t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(t.TempDir(), "link")
	require.NoError(t, write(good, "cpu", file))
	assertFile(t, file, "new", 0o600)

	require.NoError(t, os.Chmod(file, 0o640))
	require.NoError(t, os.Symlink(file, link))
	good.text = "newer"
	require.NoError(t, write(good, "cpu", link))
	assertFile(t, file, "newer", 0o640)
	to, err := os.Readlink(link)
	require.NoError(t, err, "the link was replaced")
	assert.Equal(t, file, to)

	broken := fakeProfiler{"half", errors.New("cut off"), &ended}
	assert.EqualError(t, write(broken, "cpu", file), "cut off")
	assertFile(t, file, "newer", 0o640)
	assert.ErrorIs(t, write(good, "cpu", filepath.Join(dir, "no", "file")), os.ErrNotExist)
	assert.Equal(t, 4, ended, "each is ended, so that the next can start")
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, list, 1, "no part is left")
}

func assertFile(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, text, string(b))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, mode, info.Mode())
}
