package suite

import (
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/syscalls"
)

// TestCountsWithoutPermission traces the client, which nobody else can trace then.
func TestCountsWithoutPermission(t *testing.T) {
	unraced(t)
	cmd := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=Count", "-test.benchtime=1x", "-framework=tiny", "-references=false", "-pin=off")
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	trace, err := syscalls.Start([]int{cmd.Process.Pid}, sockets.Ports{})
	if err != nil {
		cmd.Process.Kill()
		go cmd.Wait() // which does not return if the process is traced still
		t.Skip(err)
	}
	out, err := io.ReadAll(output)
	require.NoError(t, err)
	require.NoError(t, trace.Stop())
	_ = cmd.Wait() // whoever traces a child of his takes its end from others who wait for it
	lines := resultLines(string(out))
	require.NotEmpty(t, lines, string(out))
	for _, line := range lines {
		assert.NotContains(t, line, "syscalls/op")
		assert.Contains(t, line, " request-wire-B/op", "the rest goes on")
		assert.Contains(t, line, " server-allocs/op")
	}
	assert.Regexp(t, `# no figures: .*client-syscalls/op, server-syscalls/op: .*ptrace: operation not permitted`, string(out))
}
