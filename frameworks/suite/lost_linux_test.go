package suite

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLostOutput: what cannot be written is told, with the exit code 1.
func TestLostOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	args := bench("Echo/framework=tiny", "-size=1B")
	var errOut bytes.Buffer
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Stdout, cmd.Stderr = full, &errOut
	assert.Error(t, cmd.Run())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "rpcbench: the results cannot be written: write /dev/stdout: no space left on device\n", errOut.String())

	_, said, code := self(t, append(args, "-server-cpuprofile=/dev/full")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "# profile of the server: ")
	assert.Contains(t, said, "/dev/full: no space left on device\n")
}
