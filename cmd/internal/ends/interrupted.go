package ends

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// exitInterrupted is the exit code of a command that says that it was interrupted.
const exitInterrupted = 130

// How long Interrupted waits for the context: heardWithin after a child that says that it was
// interrupted, mayBeHeardWithin after any other failure.
const (
	heardWithin      = 2 * time.Second
	mayBeHeardWithin = 100 * time.Millisecond
)

// Interrupted reports whether ctx has ended. err is how a child ended that ran under it. A
// terminal signals this process and the child, and the child may end before ctx does.
// Interrupted therefore waits for ctx after a child that failed.
func Interrupted(ctx context.Context, err error) bool {
	if err == nil {
		return ctx.Err() != nil
	}
	patience := mayBeHeardWithin
	var failure *exec.ExitError
	if errors.As(err, &failure) && failure.ExitCode() == exitInterrupted {
		patience = heardWithin
	}
	select {
	case <-ctx.Done():
		return true
	case <-time.After(patience):
		return false
	}
}
