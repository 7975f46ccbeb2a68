package workshop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// patience is how long a command may go on after an interrupt: benchrounds
// gives its binary 5 seconds.
const patience = 10 * time.Second

// Interruptible is a command that ends by an interrupt when ctx does.
func Interruptible(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	ends.WithParent(cmd, syscall.SIGTERM) // benchrounds ends its binary, and make what it runs
	return cmd
}

// Command runs one and returns its output without the last newline; an error
// has what it said.
func Command(ctx context.Context, dir, name string, args ...string) (out string, err error) {
	return CommandWith(ctx, nil, dir, name, args...)
}

// CommandWith is Command with more variables in its environment, each as NAME=value.
func CommandWith(ctx context.Context, env []string, dir, name string, args ...string) (out string, err error) {
	cmd := Interruptible(ctx, dir, name, args...)
	cmd.Env = append(cmd.Environ(), env...)
	b, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w%s", filepath.Base(name), strings.Join(args, " "), err, said(err))
	}
	return strings.TrimRight(string(b), "\n"), nil
}

// said is what a failed command printed as its errors, in lines of their own.
func said(err error) (text string) {
	var failure *exec.ExitError
	if !errors.As(err, &failure) {
		return ""
	}
	for line := range strings.Lines(string(failure.Stderr)) {
		if !strings.HasPrefix(line, "go: downloading ") {
			text += "\n\t" + foreign.Line(strings.TrimRight(line, "\n"))
		}
	}
	return text
}

// FindRounds returns where benchrounds is, beside this command or in PATH.
func FindRounds() (path string, err error) {
	self, _ := os.Executable()
	if path = Find("benchrounds"); path == "" {
		err = fmt.Errorf("benchrounds is neither beside %s nor in PATH: go install it", strings.TrimSuffix(filepath.Base(self), ".exe"))
	}
	return path, err
}

// Find returns where a command is, beside this one or in PATH; "" for nowhere.
func Find(name string) string {
	self, _ := os.Executable()
	beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), name))
	if err == nil {
		return beside
	}
	inPath, _ := exec.LookPath(name)
	return inPath
}

// Exited reports whether a command went well; one exit code says that it did
// not, and any other is an error.
func Exited(err error, code int) (well bool, other error) {
	var failure *exec.ExitError
	if errors.As(err, &failure) && failure.ExitCode() == code {
		return false, nil
	}
	return err == nil, err
}

// BenchmarksOnly keeps a test binary from running its tests.
func BenchmarksOnly() []string { return []string{"-test.run=^$"} }
