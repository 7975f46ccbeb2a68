package suite

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLinesWithoutRoom: a file that takes no more after a part of a line is told as well.
func TestLinesWithoutRoom(t *testing.T) {
	args := strings.Fields("-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=good/msg=small")
	whole, err := exec.CommandContext(t.Context(), os.Args[0], args...).Output()
	require.NoError(t, err)
	header := strings.Index(string(whole), "Benchmark")
	require.Positive(t, header)
	said, code := limited(t, header+20, args...)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "write /dev/stdout: file too large\n")
	said, code = limited(t, 2*len(whole), args...)
	assert.Zero(t, code, said)
}

// limited runs this binary with a file as standard output that has so much room left.
func limited(t *testing.T, room int, args ...string) (stderr string, code int) {
	const blocks = 2048 // of 512 bytes
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "out.txt"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, file.Truncate(int64(blocks*512-room)))
	var errOut bytes.Buffer
	shell := fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, blocks)
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", shell, os.Args[0]}, args...)...)
	cmd.Stdout, cmd.Stderr = file, &errOut
	if err = cmd.Run(); err != nil {
		require.NotNil(t, cmd.ProcessState, err)
	}
	return errOut.String(), cmd.ProcessState.ExitCode()
}
