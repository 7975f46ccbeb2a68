//go:build unix

package cell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// ended is a run of a tool that has ended.
type ended struct {
	said tool.Said
	cpu  time.Duration // of the tool and its children
	took time.Duration
	note string // its exit code, if it is not 0
}

// runTool runs a tool, for three times as long as it should take and 20 s at most.
func runTool(ctx context.Context, m tool.Mode, t tool.Target) (ended, error) {
	args, err := m.Command(t)
	if err != nil {
		return ended{}, err
	}
	bound := 3*t.Duration + 20*time.Second
	return runBounded(ctx, bound, args, m, t)
}

func runBounded(ctx context.Context, bound time.Duration, args []string, m tool.Mode, t tool.Target) (e ended, err error) {
	bounded, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	stdout, stderr := &capped{most: stdoutKept}, &capped{most: stderrKept}
	cmd := exec.CommandContext(bounded, args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.Dir, stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	start := time.Now()
	err = cmd.Run()
	e.took = time.Since(start)
	if cmd.ProcessState != nil {
		e.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if bounded.Err() != nil && ctx.Err() == nil {
		return e, fmt.Errorf("%s did not end within %v and was killed", m.Tool, bound)
	}
	return e.read(m, t, stdout, stderr, err)
}

// read reads what a tool said that has ended with an error. Some end with one if calls have
// failed: what they say counts then.
func (e ended) read(m tool.Mode, t tool.Target, stdout, stderr *capped, failed error) (ended, error) {
	var exit *exec.ExitError
	if failed != nil && !errors.As(failed, &exit) {
		return e, failed // it has not even started
	}
	var err error
	e.said, err = m.Read(t, stdout.kept)
	if failed != nil && (err != nil || e.said.OK+e.said.Failed <= 0) {
		return e, fmt.Errorf("%s: %w: %s", m.Tool, failed, stderr.lastLine())
	}
	if err != nil {
		return e, fmt.Errorf("%s said what cannot be read: %w", m.Tool, err)
	}
	if failed != nil {
		e.note = failed.Error()
	}
	return e, nil
}

// The most bytes that are kept of what a process prints.
const (
	stdoutKept = 16 << 20
	stderrKept = 64 << 10
)

// capped keeps the beginning of what is written.
type capped struct {
	most int
	kept []byte
}

// Write never fails.
func (c *capped) Write(p []byte) (int, error) {
	c.kept = append(c.kept, p[:min(len(p), c.most-len(c.kept))]...)
	return len(p), nil
}

// lastLine returns the last line that is not empty, of what was kept.
func (c *capped) lastLine() string {
	lines := bytes.Split(bytes.TrimSpace(c.kept), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}
