// Package nap waits for short times: on a timer, or awake while others get the CPU.
package nap

import "time"

// Napper is what waiting needs of the platform.
type Napper interface {
	// Sleep waits for d, or until Interrupt, on a timer.
	Sleep(d time.Duration)
	// Interrupt ends the sleep under way and all later ones, for good.
	Interrupt()
	// Close gives the timer back.
	Close()
}

// Yielder is a Napper that can also stay awake beside others.
type Yielder interface {
	// Yield lets every other goroutine run that can, including those whose
	// sockets have become readable, and every other thread of this core.
	Yield()
	// GivesWay reports whether other programs want the CPU, so that it is
	// better not to stay awake for now.
	GivesWay() bool
}

type timer struct {
	timer   *time.Timer
	stopped chan struct{}
}

// Timer returns a Napper that waits with the runtime's timers.
func Timer() Napper {
	return &timer{timer: time.NewTimer(0), stopped: make(chan struct{})}
}

func (t *timer) Sleep(d time.Duration) {
	t.timer.Reset(d)
	select {
	case <-t.timer.C:
	case <-t.stopped:
	}
}

func (t *timer) Interrupt() { close(t.stopped) }
func (t *timer) Close()     { t.timer.Stop() }
