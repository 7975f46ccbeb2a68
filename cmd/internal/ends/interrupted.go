package ends

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// exitInterrupted is the exit code of a command that says that it was interrupted.
const exitInterrupted = 130

// How long the signal that a child has heard may take to end the context: after a child that
// says so, and after one that failed and may have.
const (
	heardWithin      = 2 * time.Second
	mayBeHeardWithin = 100 * time.Millisecond
)

// Interrupted reports whether the context of a child has ended, whose error is err. A
// terminal signals this process and the child, which may end by it before the context does.
// After a child that failed, the context is therefore waited for.
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
