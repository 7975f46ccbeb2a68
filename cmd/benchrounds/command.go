package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// patience is how long a binary may go on after an interrupt, or hold its
// output open after its end, by way of a process that it has left behind.
var patience = 5 * time.Second

// command finds binaries in the current directory without a leading ./.
func command(ctx context.Context, binary string, args []string) *exec.Cmd {
	if _, err := os.Stat(binary); err == nil && !strings.ContainsRune(binary, os.PathSeparator) {
		binary = "." + string(os.PathSeparator) + binary
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = environ.Measured(cmd.Environ())
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	ends.WithParent(cmd, syscall.SIGKILL) // its servers end with their input
	return cmd
}

// identify returns the build of a binary that command finds.
func identify(binary string) builds.Build {
	return builds.Of(command(context.Background(), binary, nil).Path)
}
