package timer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// contentionStep is something that a contention is told, at a time in ms.
type contentionStep struct {
	at   int
	tell func(c *contention, now time.Duration)
}

func yieldOf(took time.Duration) func(*contention, time.Duration) {
	return func(c *contention, now time.Duration) { c.yielded(now, took) }
}

func lookAt(others, busy float64) func(*contention, time.Duration) {
	return func(c *contention, now time.Duration) { c.looked(now, others, busy, true) }
}

func TestContention(t *testing.T) {
	const us, ms = time.Microsecond, time.Millisecond
	lost := func(at int) contentionStep { return contentionStep{at, yieldOf(5 * ms)} } // enough to give way
	room := func(at int) contentionStep { return contentionStep{at, lookAt(.02, .10)} }
	full := func(at int) contentionStep { return contentionStep{at, lookAt(.80, 1)} }
	for _, c := range []struct {
		name      string
		steps     []contentionStep
		contended bool
	}{
		{"no yield was late", nil, false},
		{"a server on this core answered calls", []contentionStep{{1, yieldOf(200 * us)}, {2, yieldOf(200 * us)}, {3, yieldOf(499 * us)}}, false},
		{"part of a time slice was lost", []contentionStep{{10, yieldOf(1900 * us)}}, false},
		{"a time slice was lost", []contentionStep{{10, yieldOf(3 * ms)}}, true},
		{"short time slices were lost", []contentionStep{{1, yieldOf(700 * us)}, {20, yieldOf(700 * us)}, {40, yieldOf(700 * us)}}, true},
		{"short time slices are lost now and then", []contentionStep{{10, yieldOf(ms)}, {200, yieldOf(ms)}, {400, yieldOf(ms)}}, false},
		{"others are still there", []contentionStep{lost(1000), full(1100), full(1200), full(2000)}, true},
		{"others have gone", []contentionStep{lost(1000), full(1100), room(1200)}, false},
		{"this program alone fills the CPUs", []contentionStep{lost(1000), {1100, lookAt(.03, 1)}}, false},
		{"others use CPUs of which some are idle", []contentionStep{lost(1000), {1100, lookAt(.4, .6)}}, false},
		{"there is room, but the look came too early", []contentionStep{lost(1000), room(1050)}, true},
		{"room was seen by mistake: the second pause is longer", []contentionStep{lost(2000), full(2100), room(2200), lost(2250), full(2350), room(2400)}, true},
		{"the second pause is twice the first", []contentionStep{lost(2000), full(2100), room(2200), lost(2250), full(2350), room(2450)}, false},
		{"a second awake resets the pause", []contentionStep{lost(2000), full(2100), room(2200), lost(3200), room(3300)}, false},
		{"no look saw others: the second pause is not longer", []contentionStep{lost(2000), room(2100), lost(2150), room(2250)}, false},
		{"others never leave room: staying awake is tried again", []contentionStep{lost(1000), full(1100), full(4200)}, false},
		{"a try that was a guess does not count against seeing room", []contentionStep{lost(1000), full(4200), lost(4210), room(4310)}, false},
		{"statistics are missing for long: staying awake is tried again", []contentionStep{lost(1000), {4200, func(c *contention, now time.Duration) { c.looked(now, 0, 0, false) }}}, false},
		{"statistics are missing", []contentionStep{lost(1000), {1200, func(c *contention, now time.Duration) { c.looked(now, 0, 0, false) }}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var contention contention
			for _, s := range c.steps {
				s.tell(&contention, time.Duration(s.at)*ms)
			}
			assert.Equal(t, c.contended, contention.contended)
		})
	}
}

// A pause grows each time that seeing room was wrong, up to a limit.
func TestContentionPauses(t *testing.T) {
	var c contention
	now := time.Second
	var pauses []time.Duration
	for range 8 {
		c.yielded(now, 5*time.Millisecond)
		began := now
		for c.contended {
			now += lookEvery
			c.looked(now, .4, .6, true) // there is idle time, but not on our core
		}
		pauses = append(pauses, (now-began)/time.Millisecond)
		now += 10 * time.Millisecond
	}
	assert.Equal(t, []time.Duration{100, 200, 400, 800, 1600, 3200, 3200, 3200}, pauses)
}
