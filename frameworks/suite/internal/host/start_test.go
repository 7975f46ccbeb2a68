package host

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/tail"
)

func init() {
	helpers["serves without a parent"] = func() int { return Serve(startTestServer, nil) }
}

func TestServeWithoutAParent(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envHelper+"=serves without a parent")
	out, err := cmd.CombinedOutput()
	assert.ErrorContains(t, err, "exit status 2")
	assert.Equal(t, "host: Serve in a process that Start did not start\n", string(out))
}

func TestTheCPUTimeOfAPausedChild(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the child itself is asked")
	}
	h := launch(t, Config{Serve: "echo", ControlTimeout: time.Second})
	require.NoError(t, h.Pause())
	d, err := h.CPU()
	assert.NoError(t, err, "the kernel is asked")
	assert.Positive(t, d)
}

// A child tells that it failed before it ends, and its last words come after that.
func TestTheLastWordsOfAFailedStart(t *testing.T) {
	_, err := Start(t.Context(), Config{Serve: "fails and explains"})
	assert.ErrorContains(t, err, "the port is taken; its last output:\nby another server")
}

func TestDefaultTimes(t *testing.T) {
	c := Config{}.withDefaults()
	assert.Equal(t, []time.Duration{30 * time.Second, 30 * time.Second}, []time.Duration{c.StartTimeout, c.ControlTimeout})
	own := Config{StartTimeout: 1, ControlTimeout: 2}
	assert.Equal(t, own, own.withDefaults())
	assert.Greater(t, stopTimeout, closeTimeout, "a child has the time to say that it could not close its server")
	assert.Equal(t, 16<<10, tail.Most)
	assert.Equal(t, 10*time.Second, orderTimeout)
}

// A profile that was stopped may be started again.
func TestProfilesAgain(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	for _, kind := range ProfileKinds {
		for range 2 {
			require.NoError(t, h.StartProfile(t.Context(), kind), kind)
			var got bytes.Buffer
			require.NoError(t, h.StopProfile(t.Context(), kind, &got), kind)
			assert.Positive(t, got.Len(), kind)
		}
	}
}
