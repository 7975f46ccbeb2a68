//go:build unix

package certs

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCertificatesThatAreNoFiles would hang or fill the memory otherwise.
func TestCertificatesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about string
		make  func(path string) error
		want  string
	}{
		{"a pipe that nobody writes to", func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is a named pipe, not a file"},
		{"a link to a device", func(path string) error { return os.Symlink("/dev/zero", path) }, "is a device, not a file"},
		{"a socket", listenOnce, "is a socket, not a file"},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, "is a directory, not a file"},
		{"5 GiB that have no block on the disk", sparse, "has 5368709120 bytes: more than 16 MiB are not read"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "r") // the path of a socket has 100 bytes at most
			require.NoError(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) })
			path := filepath.Join(dir, "server.pem")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.pem"), nil, 0o600))
			require.NoError(t, c.make(path))
			_, err = Read(dir)
			assert.ErrorContains(t, err, path+" "+c.want)
		})
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
