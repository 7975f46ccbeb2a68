//go:build unix

package remote

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTokensThatAreInNoFile would hang or fill the memory otherwise.
func TestTokensThatAreInNoFile(t *testing.T) {
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
		{"5 GiB that have no block on the disk", sparse, "has 5368709120 bytes: more than 1 MiB are not read"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "r") // the path of a socket has 100 bytes at most
			require.NoError(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) })
			path := filepath.Join(dir, "token")
			require.NoError(t, c.make(path))
			_, err = ReadSecret(path)
			assert.ErrorContains(t, err, path+" "+c.want)
		})
	}
}

// TestATokenFromAPipeWithoutAName is read, as the shell's <(...) and /dev/stdin give it.
func TestATokenFromAPipeWithoutAName(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("no /dev/fd here: ", err)
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	_, err = w.WriteString(secret)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	s, err := ReadSecret(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	require.NoError(t, err)
	assert.Equal(t, secret, s.Token)
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
