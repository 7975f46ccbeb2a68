// Package timer waits for short times: asleep, or awake while others may have the CPU.
package timer

import "time"

// Timer is what waiting needs of the platform.
type Timer interface {
	// Sleep waits for d, or until Interrupt, on a timer.
	Sleep(d time.Duration)
	// Interrupt ends the sleep under way and all later ones, for good.
	Interrupt()
	// Close gives the timer back.
	Close()
}

// Yielder is a Timer that can also stay awake beside others.
type Yielder interface {
	// Yield lets every other goroutine run that can, including those whose
	// sockets have become readable, and every other thread of this core.
	Yield()
	// GivesWay reports whether other programs want the CPU, so that it is
	// better not to stay awake for now.
	GivesWay() bool
}

type runtimeTimer struct {
	timer   *time.Timer
	stopped chan struct{}
}

// Runtime returns a Timer that waits with the runtime's timers.
func Runtime() Timer {
	return &runtimeTimer{timer: time.NewTimer(0), stopped: make(chan struct{})}
}

func (t *runtimeTimer) Sleep(d time.Duration) {
	t.timer.Reset(d)
	select {
	case <-t.timer.C:
	case <-t.stopped:
	}
}

func (t *runtimeTimer) Interrupt() { close(t.stopped) }
func (t *runtimeTimer) Close()     { t.timer.Stop() }
