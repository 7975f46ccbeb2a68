package process

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// Again runs the running binary again with other arguments, and waits for its end. The
// error says why it could not run; an exit code other than 0 is not an error.
func Again(ctx context.Context, args ...string) (stdout, stderr string, exitCode int, err error) {
	e, err := Rerun(ctx, args...)
	return e.Stdout, e.Stderr, e.ExitCode, err
}

// Ended describes a process that has ended.
type Ended struct {
	Stdout, Stderr string
	ExitCode       int
	// Peak is the most bytes that were resident in it, without its own children, until
	// a few milliseconds before its end; 0 if the system does not tell.
	Peak int64
}

// Rerun runs the running binary again as Again does, and also returns its peak memory.
func Rerun(ctx context.Context, args ...string) (Ended, error) {
	cmd, err := self.Command(ctx, args...)
	if err != nil {
		return Ended{}, err
	}
	var out, errOut bytes.Buffer
	cmd.Env = os.Environ() // it is a run of its own, whose Main chooses
	cmd.Stdout, cmd.Stderr = &out, &errOut
	wait, err := Begin(cmd)
	if err != nil {
		return Ended{}, err
	}
	peak := watchPeak(cmd.Process.Pid)
	err = wait()
	ended := Ended{Stdout: out.String(), Stderr: errOut.String(), ExitCode: cmd.ProcessState.ExitCode(), Peak: peak()}
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		err = nil
	}
	return ended, err
}
