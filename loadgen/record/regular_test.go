//go:build unix

package record

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoOtherFileIsRead, since a pipe would be waited for, and a device may have no end.
func TestNoOtherFileIsRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	link := func(to, name string) string {
		require.NoError(t, os.Symlink(to, at(name)))
		return at(name)
	}
	pipe := at("pipe.json")
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	socket, err := net.Listen("unix", at("s"))
	require.NoError(t, err)
	defer socket.Close()
	sparse := at("sparse.json")
	require.NoError(t, os.WriteFile(sparse, nil, 0o666))
	require.NoError(t, os.Truncate(sparse, 5<<30))
	for path, say := range map[string]string{
		pipe:                            "a named pipe, not a file",
		link(pipe, "pipelink"):          "a named pipe, not a file",
		at("s"):                         "a socket, not a file",
		"/dev/zero":                     "a device, not a file",
		link("/dev/zero", "device"):     "a device, not a file",
		dir:                             "a directory, not a file",
		sparse:                          "has 5368709120 bytes: more than 64 MiB are not read",
		link(sparse, "sparselink"):      "has 5368709120 bytes: more than 64 MiB are not read",
		at("gone.json"):                 "no such file",
		link(at("gone.json"), "nolink"): "no such file",
	} {
		_, err := Read(path)
		assert.ErrorContains(t, err, say)
		assert.ErrorContains(t, err, path, "the error names the file")
	}
	path, err := aRecord(t).Write(dir)
	require.NoError(t, err)
	_, err = Read(link(path, "record.json"))
	assert.NoError(t, err, "a link to a record is one")
}
