//go:build unix

package history

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhatIsNoFileIsLeftOut would hang, or fill the memory.
func TestWhatIsNoFileIsLeftOut(t *testing.T) {
	dir := filepath.Dir(write(t, 1).File)
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("pipe.txt"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", at("zero.txt")))
	require.NoError(t, os.WriteFile(at("large.txt"), nil, 0o600))
	require.NoError(t, os.Truncate(at("large.txt"), 5<<30)) // with no block on the disk
	records, left, err := ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, records, 1)
	assert.Equal(t, []Left{
		{at("large.txt"), "has 5368709120 bytes: more than 64 MiB are not read", false},
		{at("pipe.txt"), "is a named pipe, not a file", false},
		{at("zero.txt"), "is a device, not a file", false},
	}, left)
	_, err = Continue(at("pipe.txt"))
	assert.EqualError(t, err, at("pipe.txt")+" is a named pipe, not a file")
}
