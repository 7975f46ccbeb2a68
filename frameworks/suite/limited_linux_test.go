package suite

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

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
