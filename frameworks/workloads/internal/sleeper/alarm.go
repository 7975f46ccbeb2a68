package sleeper

import "time"

// runtimeAlarm is a timer of the Go runtime.
type runtimeAlarm struct {
	timer  *time.Timer
	closed chan struct{}
}

func newRuntimeAlarm() *runtimeAlarm {
	return &runtimeAlarm{timer: time.NewTimer(time.Hour), closed: make(chan struct{})}
}

func (a *runtimeAlarm) set(d time.Duration) { a.timer.Reset(d) }

func (a *runtimeAlarm) wait(step func() bool) {
	for !step() {
		select {
		case <-a.timer.C:
		case <-a.closed:
			return
		}
	}
}

func (a *runtimeAlarm) close() error {
	a.timer.Stop()
	close(a.closed)
	return nil
}
