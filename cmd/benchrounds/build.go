package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

// build runs the command that makes a binary, with its name behind it. What go downloads is
// progress; what else the command prints is told at its end, and all of it if it fails.
func build(ctx context.Context, with []string, binary string, line *status.Line) error {
	begin, step := time.Now(), "building "+foreign.Line(binary)
	line.Begin(step)
	said := &bounded.Buffer{Most: bounded.Messages}
	out := io.MultiWriter(said, &status.Downloads{Line: line, Step: step})
	cmd := exec.CommandContext(ctx, with[0], append(with[1:len(with):len(with)], binary)...)
	cmd.Env = environ.Tools(cmd.Environ())
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	ends.WithParent(cmd, syscall.SIGTERM) // make ends what it has started
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	line.End(outcome(time.Since(begin), err))
	if err != nil && ctx.Err() != nil {
		return err
	}
	tell(line, said.String(), err != nil)
	if err != nil {
		return fmt.Errorf("%s cannot be built: %s: %w", binary, cmd, err)
	}
	return nil
}

// outcome is what stands behind the name of a build.
func outcome(took time.Duration, err error) string {
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %.0f s", took.Seconds())
}

// tell prints lines of others, and downloads only among all.
func tell(line *status.Line, said string, all bool) {
	for text := range strings.Lines(said) {
		if _, download := status.Download(text); all || !download {
			fmt.Fprintln(line, foreign.Line(strings.TrimSuffix(text, "\n")))
		}
	}
}
