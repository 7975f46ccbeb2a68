//go:build unix

package regular

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhatIsNoFileIsRefused would hang or fill the memory otherwise.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	dir, err := os.MkdirTemp("", "r") // a socket's path has 100 bytes at most
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", at("zero")))
	require.NoError(t, os.Symlink(at("nowhere"), at("dangling")))
	l, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, os.WriteFile(at("file"), []byte("text"), 0o600))
	require.NoError(t, os.Symlink(at("file"), at("link")))
	require.NoError(t, os.WriteFile(at("large"), nil, 0o600))
	require.NoError(t, os.Truncate(at("large"), 5<<30)) // with no block on the disk

	for name, want := range map[string]string{
		"pipe":     "pipe is a named pipe, not a file",
		"zero":     "zero is a device, not a file",
		"socket":   "socket is a socket, not a file",
		".":        "is a directory, not a file",
		"dangling": "open " + at("dangling") + ": no such file",
		"nowhere":  "no such file",
		"large":    "large has 5368709120 bytes: more than 64 MiB are not read",
	} {
		_, err := ReadFile(at(name), 64<<20)
		assert.ErrorContains(t, err, want, name)
		assert.ErrorContains(t, err, dir, name)
	}
	for _, name := range []string{"file", "link"} {
		text, err := ReadFile(at(name), 4)
		assert.NoError(t, err, name)
		assert.Equal(t, "text", string(text))
	}
}
