//go:build !linux

package server

import "time"

// timer is a timer of the runtime, which is up to 1 ms late.
type timer struct{ *time.Timer }

func newTimer() (*timer, error) { return &timer{time.NewTimer(time.Hour)}, nil }

// set has the next wait return after d. It takes the place of what was set before.
func (t *timer) set(d time.Duration) error {
	t.Reset(d)
	return nil
}

// wait returns when the time that was set is over.
func (t *timer) wait() error {
	<-t.C
	return nil
}
