package loadgen

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// way is a way to wait until calls are due.
type way struct {
	name    string
	slack   time.Duration
	runtime bool // with the runtime's timers
}

var ways = []way{{name: "awake", slack: 1}, {name: "slack"}, {name: "runtime", runtime: true}}

func (w way) with(cfg Config) Config {
	cfg.Slack, cfg.RuntimeTimers = w.slack, w.runtime
	return cfg
}

// lateTimer wakes later than it was asked to, in fake time.
type lateTimer struct {
	late   time.Duration
	sleeps int
}

func (l *lateTimer) Sleep(d time.Duration) { l.sleeps++; time.Sleep(d + l.late) }
func (l *lateTimer) Interrupt()            {}
func (l *lateTimer) Close()                {}

// Calls share a wake-up if several are due within Slack, and none is sent later than that.
func TestSlack(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name             string
		slack, late, gap time.Duration
		most             time.Duration // of the lag
		calls            float64       // a sleep
	}{
		{"calls that are far apart are sent as soon as the timer wakes", 100 * us, 40 * us, time.Millisecond, 41 * us, 1},
		{"calls that are near share a sleep", 100 * us, 40 * us, 10 * us, 101 * us, 10},
		{"more slack saves more sleeps", time.Millisecond, 40 * us, 10 * us, 1001 * us, 90},
		{"a timer that is as late as the slack leaves nothing to share, but the calls due meanwhile", 100 * us, 99 * us, 50 * us, 110 * us, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lag, sleeps := paced(c.slack, c.gap, &lateTimer{late: c.late})
				assert.LessOrEqual(t, lag.Quantile(.97), c.most)
				assert.InEpsilon(t, c.calls, float64(lag.Count())/float64(sleeps), .2)
			})
		})
	}
}

// paced waits for calls that take no time.
func paced(slack, gap time.Duration, sleeper *lateTimer) (lag *Histogram, sleeps int) {
	lag = new(Histogram)
	w := waiter{course: new(course), timer: sleeper, lead: minLead, meanGap: slack}
	w.Slack = slack
	w.earlyEnd.Store(int64(never))
	w.Start = time.Now()
	for i := range 10_000 {
		due := time.Duration(i+1) * gap
		now := w.Now()
		if now < due {
			w.expect(due, int64(i))
			now = w.wait(due, now)
		}
		lag.Record(now-due, 1)
	}
	return lag, sleeper.sleeps
}
