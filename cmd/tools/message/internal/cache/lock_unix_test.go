//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
)

// step is the environment variable that has the test's process do a part of the test, and base
// the one of its directory.
const (
	step = "RPCBENCH_TEST_STEP"
	base = "RPCBENCH_TEST_BASE"
)

// TestWhatFollowsHasTheDirectory until it ends: a process opens the directory and becomes a
// command.
func TestWhatFollowsHasTheDirectory(t *testing.T) {
	switch os.Getenv(step) {
	case "open":
		become(t)
	case "follow":
		fmt.Println("running")
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWhatFollowsHasTheDirectory$")
	cmd.Env = append(os.Environ(), step+"=open", base+"="+dir)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "running\n", line)
	waited := false
	d, err := cache.Open(dir, "a", func() { waited = in.Close() == nil })
	require.NoError(t, err)
	assert.True(t, waited)
	assert.NoError(t, d.Close())
	assert.NoError(t, cmd.Wait())
}

// become opens the directory and has another process take the place of this one.
func become(t *testing.T) {
	d, err := cache.Open(os.Getenv(base), "a", func() {})
	require.NoError(t, err)
	require.NoError(t, d.Inherit())
	t.Setenv(step, "follow")
	require.NoError(t, syscall.Exec(os.Args[0], os.Args, os.Environ()))
}
