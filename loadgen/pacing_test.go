package loadgen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestRates offers 100 calls in 10 s, of which 60 were sent.
func TestRates(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		about             string
		warmup, due, sent time.Duration // due and sent: of the last call, from the start
		offered, achieved float64
		behind            time.Duration
	}{
		{"the last call was on time", 0, 10 * s, 10 * s, 10, 6, 0},
		{"it was sent after its time", 0, 10 * s, 15 * s, 10, 4, 5 * s},
		{"the warm-up is left out", 20 * s, 30 * s, 35 * s, 10, 4, 5 * s},
		{"the last one was dropped", 0, 10 * s, 7 * s, 10, 6, 0},
		{"nothing but the warm-up", 20 * s, 20 * s, 20 * s, 0, 0, 0},
	} {
		p := &pacing{waiter: waiter{course: &course{Config: Config{Warmup: c.warmup}}}}
		p.open.last, p.open.lastSent = c.due, c.sent
		offered, achieved, behind := p.rates(&Result{Due: 100, Sent: 60})
		assert.Equal(t, c.offered, offered, c.about)
		assert.Equal(t, c.achieved, achieved, c.about)
		assert.Equal(t, c.behind, behind, c.about)
	}
}
