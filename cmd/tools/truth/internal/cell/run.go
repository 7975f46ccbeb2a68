//go:build unix

package cell

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/bounded"
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
	within, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	stdout, stderr := &bounded.Buffer{Most: bounded.Results}, &bounded.Buffer{Most: bounded.Messages}
	cmd := exec.CommandContext(within, args[0], args[1:]...)
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
	if within.Err() != nil && ctx.Err() == nil {
		return e, fmt.Errorf("%s did not end within %v and was killed", m.Tool, bound)
	}
	return e.read(m, t, stdout, stderr, err)
}

// read reads what a tool said that has ended with an error. Some end with one if calls have
// failed: what they say counts then.
func (e ended) read(m tool.Mode, t tool.Target, stdout, stderr *bounded.Buffer, failed error) (ended, error) {
	var exit *exec.ExitError
	if failed != nil && !errors.As(failed, &exit) {
		return e, failed // it has not even started
	}
	var err error
	e.said, err = m.Read(t, stdout.Bytes())
	if failed != nil && (err != nil || e.said.OK+e.said.Failed <= 0) {
		return e, fmt.Errorf("%s: %w: %s", m.Tool, failed, lastLine(stderr))
	}
	if err != nil {
		return e, fmt.Errorf("%s said what cannot be read: %w", m.Tool, err)
	}
	if failed != nil {
		e.note = failed.Error()
	}
	return e, nil
}

// lastLine is the last line that a process printed and that is not empty.
func lastLine(b *bounded.Buffer) string {
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
