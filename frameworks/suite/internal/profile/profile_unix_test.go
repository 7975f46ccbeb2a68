//go:build unix

package profile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// fakeProfiler cannot start a profile, and says how many had ended. At the stop it writes
// text and returns err.
type fakeProfiler struct {
	text  string
	err   error
	ended *int
}

func (f fakeProfiler) StartProfile(_ context.Context, kind string) error {
	return errors.New(kind + " begins " + strconv.Itoa(*f.ended))
}

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

// TestProfilesAreOfTheRun: each profile that is wanted begins before the first call and
// ends after the last, and an error of either is told.
func TestProfilesAreOfTheRun(t *testing.T) {
	ended, none, file := 0, "", filepath.Join(t.TempDir(), "file")
	var told []string
	tell := func(err error) {
		if err != nil {
			told = append(told, err.Error())
		}
	}
	note := func(s string) func() { return func() { told = append(told, s) } }
	cfg := loadgen.Config{OnStart: note("started"), OnStop: note("stopped")}
	Profiles{server: map[string]*string{"cpu": &file, "trace": &none}}.During(&cfg, fakeProfiler{"new", errors.New("cut off"), &ended}, tell)
	cfg.OnStart()
	cfg.OnStop()
	assert.Equal(t, []string{"cpu begins 0", "started", "stopped", "cut off"}, told)
	assert.Equal(t, 1, ended)
}

// TestProfilesThatCannotBeWritten are told before anything is measured.
func TestProfilesThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for file, want := range map[string]string{
		pipe: "-server-trace: " + pipe + " is a named pipe, not a file", dir: "is a directory, not a file",
		"": "", os.DevNull: "", filepath.Join(dir, "new"): "",
	} {
		err := Profiles{server: map[string]*string{"trace": &file, "cpu": new(string)}}.Check([]string{"one"})
		if want == "" {
			assert.NoError(t, err, file)
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
}
