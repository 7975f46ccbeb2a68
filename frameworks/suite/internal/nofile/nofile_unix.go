//go:build unix

package nofile

import (
	"net"
	"os"
	"path/filepath"
	"syscall"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Test is what a test gives to Refused.
type Test interface {
	require.TestingT
	Cleanup(func())
}

// Refused makes a directory whose entry of this name is no file, or too large, for each kind
// of such a thing, and wants the error of read to name the entry and its kind. most is the
// largest size that is read, as in "1 MiB".
func Refused(t Test, name, most string, read func(dir string) error) {
	for _, c := range []struct {
		about string
		make  func(path string) error
		want  string
	}{
		{"a pipe that nobody writes to", func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is a named pipe, not a file"},
		{"a link to a device", func(path string) error { return os.Symlink("/dev/zero", path) }, "is a device, not a file"},
		{"a socket", listenOnce, "is a socket, not a file"},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, "is a directory, not a file"},
		{"5 GiB that have no block on the disk", sparse, "has 5368709120 bytes: more than " + most + " are not read"},
	} {
		dir, err := os.MkdirTemp("", "r") // the path of a socket has 100 bytes at most
		require.NoError(t, err, c.about)
		t.Cleanup(func() { os.RemoveAll(dir) })
		path := filepath.Join(dir, name)
		require.NoError(t, c.make(path), c.about)
		assert.ErrorContains(t, read(dir), path+" "+c.want, c.about)
	}
}

// listenOnce leaves a socket that nobody listens at.
func listenOnce(path string) error {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	return l.Close()
}

func sparse(path string) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	return os.Truncate(path, 5<<30)
}
