package workshop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

// Here is the package in the current directory.
const Here = "."

// patience is how long a command may go on after an interrupt: benchrounds
// gives its binary 5 seconds.
const patience = 10 * time.Second

// interruptible is a command that ends by an interrupt when ctx does.
func interruptible(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	ends.WithParent(cmd, syscall.SIGTERM) // benchrounds ends its binary, and make what it runs
	return cmd
}

// Go runs go with the environment of environ.Tools, in which there is no go.work. It
// returns its output without the last newline; an error has what it said.
func Go(ctx context.Context, dir string, args ...string) (out string, err error) {
	return GoWith(ctx, nil, dir, args...)
}

// GoWith is Go with more variables in its environment, each as NAME=value.
func GoWith(ctx context.Context, env []string, dir string, args ...string) (out string, err error) {
	return output(goCommand(ctx, env, dir, args), args, nil)
}

func goCommand(ctx context.Context, env []string, dir string, args []string) *exec.Cmd {
	cmd := interruptible(ctx, dir, "go", args...)
	cmd.Env = append(environ.Tools(cmd.Environ()), env...)
	return cmd
}

// Git is Go for git, which runs no hooks of the user and no monitor of files: neither is
// for a worktree that is ours.
func Git(ctx context.Context, dir string, args ...string) (out string, err error) {
	own := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}
	cmd := interruptible(ctx, dir, "git", append(own, args...)...)
	cmd.Env = environ.Tools(cmd.Environ())
	return output(cmd, args, nil)
}

// Run is Go for a program that is measured, with the environment of Measured.
func Run(ctx context.Context, binary string, args ...string) (out string, err error) {
	return output(Measured(ctx, binary, args...), args, nil)
}

// Measured is a program that is to be measured here, with the environment of
// environ.Measured. It ends by an interrupt when ctx does.
func Measured(ctx context.Context, binary string, args ...string) *exec.Cmd {
	cmd := interruptible(ctx, Here, binary, args...)
	cmd.Env = environ.Measured(cmd.Environ())
	return cmd
}

// Rounds is benchrounds, which gets the environment whole: it chooses for its children, and
// says in their files what it leaves out. It ends by a SIGTERM when ctx does: a terminal may
// have sent it a SIGINT as well, of which a second would end it without a word. The error says
// that it is not the build that was found.
func Rounds(ctx context.Context, rounds Found, args ...string) (*exec.Cmd, error) {
	if !rounds.build.Same(builds.Of(rounds.path)) {
		return nil, builds.Rebuilt{Binary: rounds.path, Then: "the rest would be measured by"}
	}
	cmd := interruptible(ctx, Here, rounds.path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	return cmd, nil
}

// output runs a command. args are those that an error tells. follow reads what it says as its
// errors meanwhile; nil: nobody does.
func output(cmd *exec.Cmd, args []string, follow io.Writer) (out string, err error) {
	results, messages := bounded.Buffer{Most: bounded.Results}, bounded.Buffer{Most: mostSaid}
	cmd.Stdout, cmd.Stderr = &results, &messages
	if follow != nil {
		cmd.Stderr = io.MultiWriter(&messages, follow)
	}
	if err = cmd.Run(); err == nil {
		err = results.Err()
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w%s", filepath.Base(cmd.Path), strings.Join(args, " "), err, said(messages.String()))
	}
	return strings.TrimRight(results.String(), "\n"), nil
}

// mostSaid is how much is told of what a failed command said, in bytes.
const mostSaid = 64 << 10

// said is what a failed command printed as its errors, in lines of their own, and what to do
// where that is known.
func said(messages string) (text string) {
	for line := range strings.Lines(messages) {
		if _, download := status.Download(line); !download {
			text += "\n\t" + foreign.Line(strings.TrimRight(line, "\n"))
		}
	}
	if does := remedy(messages); does != "" {
		text += "\n\t" + does
	}
	return text
}

// Found is a command, and the build that was there when it was found.
type Found struct {
	path  string
	build builds.Build
}

// FindRounds finds benchrounds, beside this command or in PATH.
func FindRounds() (rounds Found, err error) {
	self, _ := os.Executable()
	path := find("benchrounds")
	if path == "" {
		err = fmt.Errorf("benchrounds is neither beside %s nor in PATH: go install it", strings.TrimSuffix(filepath.Base(self), ".exe"))
	}
	return Found{path, builds.Of(path)}, err
}

// find returns where a command is, beside this one or in PATH; "" for nowhere.
func find(name string) string {
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
