//go:build unix

package target

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Symlink(pipe, filepath.Join(dir, "link")))
	for path, say := range map[string]string{
		file: "", filepath.Join(dir, "none"): "", "/dev/null": "", "/dev/stdout": "", "/dev/fd/1": "",
		dir:                        dir + " is a directory, not a file",
		pipe:                       pipe + " is a named pipe, not a file",
		filepath.Join(dir, "link"): filepath.Join(dir, "link") + " is a named pipe, not a file",
	} {
		if err := Check(path); say == "" {
			assert.NoError(t, err, path)
		} else {
			assert.EqualError(t, err, say, path)
		}
	}
}
