//go:build unix

package cell

import (
	"context"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
)

// stop is when a process really stood still; the zero stop says never.
type stop struct{ from, to time.Time }

// of returns the stop by offsets from the first call.
func (s stop) of(first time.Time) planted.Window {
	if s.from.IsZero() {
		return planted.Window{}
	}
	return planted.Window{From: s.from.Sub(first), To: s.to.Sub(first)}
}

// standStill stops the process as planned, once its first call has arrived. The function that
// it returns is called when the tool has ended, and returns when the process stood still.
func (s *process) standStill(ctx context.Context, plan planted.Plan) (end func() stop) {
	ctx, cancel := context.WithCancel(ctx)
	stood := make(chan stop, 1)
	go func() {
		var all stop
		if plan.StopFor > 0 && s.pause(ctx, plan.StopAt) {
			all.from = s.signal(syscall.SIGSTOP)
			sleep(ctx, plan.StopFor)
			all.to = s.signal(syscall.SIGCONT)
		}
		stood <- all
	}()
	return func() stop {
		cancel()
		return <-stood
	}
}

// pause returns some time after the first call has arrived, and false if ctx ends before.
func (s *process) pause(ctx context.Context, d time.Duration) bool {
	select {
	case first := <-s.first:
		return sleep(ctx, time.Until(first.Add(d)))
	case <-ctx.Done():
		return false
	}
}

// signal sends a signal and returns when.
func (s *process) signal(what syscall.Signal) time.Time {
	s.cmd.Process.Signal(what) // fails if the process has ended, which the next question finds
	return time.Now()
}

// sleep returns after d, and false if ctx ends before.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
