package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

// makeShower builds the program that shows the results, if it can be built.
func (w work) makeShower(ctx context.Context, line *status.Line) error {
	if len(w.then) == 0 || len(w.build) == 0 {
		return nil
	}
	return build(ctx, w.build, w.then[0], line)
}

// show runs the command that shows the results, with the files that keep them behind it. The
// command starts after the first interrupt, and so does not get it. A second interrupt ends the
// command and this process.
func (w work) show(line *status.Line) error {
	files := kept(w.targets)
	if len(w.then) == 0 || len(files) == 0 {
		return nil
	}
	if _, err := os.Stat(w.then[0]); err != nil { // an interrupt came before it was built
		if err := w.makeShower(context.Background(), line); err != nil {
			return err
		}
	}
	cmd := exec.Command(w.then[0], slices.Concat(w.then[1:], files)...)
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
