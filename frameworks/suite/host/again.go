package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
)

// Again runs the running binary again with other arguments, and waits for its end. The
// error says why it could not run; an exit code other than 0 is not an error.
func Again(ctx context.Context, args ...string) (stdout, stderr string, exitCode int, err error) {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	wait, err := Begin(cmd)
	if err != nil {
		return "", "", 0, err
	}
	err = wait()
	if exit, ended := errors.AsType[*exec.ExitError](err); ended {
		exitCode, err = exit.ExitCode(), nil
	}
	return out.String(), errOut.String(), exitCode, err
}
