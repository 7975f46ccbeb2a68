package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// telling is how often a build tells how far it is.
const telling = 30 * time.Second

// step runs a command of build, in a directory. Its error has the end of what the command said.
func step(ctx context.Context, dir string, args []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var said told
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	cmd.Env = environ.Tools(cmd.Environ())
	ends.WithParent(cmd, syscall.SIGTERM)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // make ends its compilers
	cmd.WaitDelay = stopTimeout
	over := make(chan struct{})
	var teller sync.WaitGroup
	teller.Go(func() { said.tell(os.Stderr, dir, over) })
	err := cmd.Run()
	close(over)
	teller.Wait()
	if err != nil {
		return errors.New(args[0] + ": " + err.Error() + said.String())
	}
	return nil
}

// told is what a command has said last, for another goroutine, too.
type told struct {
	mu   sync.Mutex
	last tail
}

// Write implements io.Writer.
func (t *told) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.Write(p)
}

func (t *told) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.String()
}

// tell writes a line now and then until the command is over.
func (t *told) tell(out io.Writer, dir string, over <-chan struct{}) {
	begin := time.Now()
	for {
		select {
		case <-over:
			return
		case <-time.After(telling):
			fmt.Fprintf(out, "peer: building %s for %v: %.80s\n", dir, time.Since(begin).Round(time.Second), t.far())
		}
	}
}

// far is the line in which make or cargo has said last how far it is, or else the last line.
func (t *told) far() string {
	lines := strings.Split(strings.TrimSpace(t.String()), "\n\t")
	for _, line := range slices.Backward(lines) {
		if strings.HasPrefix(line, "[") || strings.HasPrefix(line, "Compiling ") {
			return line
		}
	}
	return lines[len(lines)-1]
}
