package suite

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLostOutput: what cannot be written is told, with the exit code 1.
func TestLostOutput(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	args := measuring("Echo/framework=tiny", "-size=1B")
	var errOut bytes.Buffer
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Stdout, cmd.Stderr = full, &errOut
	assert.Error(t, cmd.Run())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "rpcbench: the results cannot be written: write /dev/stdout: no space left on device\n", errOut.String())

	_, said, code := self(t, append(args, "-server-cpuprofile=/dev/full")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "# profile: ")
	assert.Contains(t, said, "/dev/full: no space left on device\n")
}

// TestLinesWithoutRoom: a file that takes no more after a part of the header or of the
// results is told as well.
func TestLinesWithoutRoom(t *testing.T) {
	t.Parallel()
	unraced(t)
	args := measuring("Echo/framework=tiny", "-size=1B")
	out, said, code := self(t, args...)
	require.Zero(t, code, said)
	header := strings.Index(out, "Benchmark")
	require.Positive(t, header, out)
	for _, c := range []struct {
		about string
		room  int // in bytes
		code  int
	}{
		{"most of the header", header - 10, 1},
		{"the header, and a part of a line", header + 60, 1},
		{"all", 2 * len(out), 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			said, code := limited(t, c.room, args...)
			assert.Equal(t, c.code, code, said)
			assert.Equal(t, c.code == 1, strings.HasSuffix(said, "rpcbench: the results cannot be written: write /dev/stdout: file too large\n"), said)
		})
	}
}
