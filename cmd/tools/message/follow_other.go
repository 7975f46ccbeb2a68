//go:build !unix

package main

import (
	"errors"
	"os"
	"os/exec"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
)

// follow runs a command, and returns its exit code. The directory is open meanwhile.
func follow(_ *cache.Directory, args []string) (int, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if _, is := errors.AsType[*exec.ExitError](err); is {
		return cmd.ProcessState.ExitCode(), nil
	}
	return 0, err
}
