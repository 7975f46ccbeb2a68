package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// show runs the command that shows the results, with the files that keep them behind it. It
// has heard of no interrupt that came before it, and a second one ends it with this process.
func show(with []string, targets []target) error {
	files := kept(targets)
	if len(with) == 0 || len(files) == 0 {
		return nil
	}
	cmd := exec.Command(with[0], slices.Concat(with[1:], files)...)
	cmd.Env = environ.Tools(cmd.Environ())
	ends.WithParent(cmd, syscall.SIGTERM)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the results are not shown: %s: %w", cmd, err)
	}
	return nil
}

// kept lists the files that keep lines. What was written to a device cannot be read again.
func kept(targets []target) (files []string) {
	for _, t := range targets {
		if info, err := os.Stat(t.file); err == nil && info.Mode().IsRegular() {
			files = append(files, t.file)
		}
	}
	return files
}
