package nap

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// crowdStep is something that a crowd is told, at a time in ms.
type crowdStep struct {
	at   int
	tell func(c *crowd, now time.Duration)
}

func yieldOf(took time.Duration) func(*crowd, time.Duration) {
	return func(c *crowd, now time.Duration) { c.yielded(now, took) }
}

func lookAt(others, busy float64) func(*crowd, time.Duration) {
	return func(c *crowd, now time.Duration) { c.looked(now, others, busy, true) }
}

func TestCrowd(t *testing.T) {
	const us, ms = time.Microsecond, time.Millisecond
	lost := func(at int) crowdStep { return crowdStep{at, yieldOf(5 * ms)} } // enough to give way
	room := func(at int) crowdStep { return crowdStep{at, lookAt(.02, .10)} }
	full := func(at int) crowdStep { return crowdStep{at, lookAt(.80, 1)} }
	for _, c := range []struct {
		name  string
		steps []crowdStep
		dense bool
	}{
		{"no yield was late", nil, false},
		{"a server on this core answered calls", []crowdStep{{1, yieldOf(200 * us)}, {2, yieldOf(200 * us)}, {3, yieldOf(499 * us)}}, false},
		{"part of a time slice was lost", []crowdStep{{10, yieldOf(1900 * us)}}, false},
		{"a time slice was lost", []crowdStep{{10, yieldOf(3 * ms)}}, true},
		{"short time slices were lost", []crowdStep{{1, yieldOf(700 * us)}, {20, yieldOf(700 * us)}, {40, yieldOf(700 * us)}}, true},
		{"short time slices are lost now and then", []crowdStep{{10, yieldOf(ms)}, {200, yieldOf(ms)}, {400, yieldOf(ms)}}, false},
		{"others are still there", []crowdStep{lost(1000), full(1100), full(1200), full(2000)}, true},
		{"others have gone", []crowdStep{lost(1000), full(1100), room(1200)}, false},
		{"this program alone fills the CPUs", []crowdStep{lost(1000), {1100, lookAt(.03, 1)}}, false},
		{"others use CPUs of which some are idle", []crowdStep{lost(1000), {1100, lookAt(.4, .6)}}, false},
		{"there is room, but the look came too early", []crowdStep{lost(1000), room(1050)}, true},
		{"room was seen by mistake: the second pause is longer", []crowdStep{lost(2000), full(2100), room(2200), lost(2250), full(2350), room(2400)}, true},
		{"the second pause is twice the first", []crowdStep{lost(2000), full(2100), room(2200), lost(2250), full(2350), room(2450)}, false},
		{"a second awake resets the pause", []crowdStep{lost(2000), full(2100), room(2200), lost(3200), room(3300)}, false},
		{"no look saw others: the second pause is not longer", []crowdStep{lost(2000), room(2100), lost(2150), room(2250)}, false},
		{"others never leave room: staying awake is tried again", []crowdStep{lost(1000), full(1100), full(4200)}, false},
		{"a try that was a guess does not count against seeing room", []crowdStep{lost(1000), full(4200), lost(4210), room(4310)}, false},
		{"statistics are missing for long: staying awake is tried again", []crowdStep{lost(1000), {4200, func(c *crowd, now time.Duration) { c.looked(now, 0, 0, false) }}}, false},
		{"statistics are missing", []crowdStep{lost(1000), {1200, func(c *crowd, now time.Duration) { c.looked(now, 0, 0, false) }}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var crowd crowd
			for _, s := range c.steps {
				s.tell(&crowd, time.Duration(s.at)*ms)
			}
			assert.Equal(t, c.dense, crowd.dense)
		})
	}
}

// A pause grows each time that seeing room was wrong, up to a limit.
func TestCrowdPauses(t *testing.T) {
	var c crowd
	now := time.Second
	var pauses []time.Duration
	for range 8 {
		c.yielded(now, 5*time.Millisecond)
		began := now
		for c.dense {
			now += lookEvery
			c.looked(now, .4, .6, true) // there is idle time, but not on our core
		}
		pauses = append(pauses, (now-began)/time.Millisecond)
		now += 10 * time.Millisecond
	}
	assert.Equal(t, []time.Duration{100, 200, 400, 800, 1600, 3200, 3200, 3200}, pauses)
}
