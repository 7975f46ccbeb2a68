package cpu

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestContention(t *testing.T) {
	const s = time.Second
	before := Usage{Known: true, At: 1 * s, CPUs: 2, Idle: 5 * s, Busy: 10 * s, Own: 3 * s, Stolen: 1 * s}
	for _, c := range []struct {
		name                 string
		after                Usage
		others, busy, stolen float64
	}{
		{"nothing happened", Usage{Known: true, At: 11 * s, CPUs: 2, Idle: 25 * s, Busy: 10 * s, Own: 3 * s, Stolen: 1 * s}, 0, 0, 0},
		{"this process alone had both CPUs", Usage{Known: true, At: 11 * s, CPUs: 2, Idle: 5 * s, Busy: 30 * s, Own: 23 * s, Stolen: 1 * s}, 0, 1, 0},
		{"others had a quarter, the host a tenth", Usage{Known: true, At: 11 * s, CPUs: 2, Idle: 15 * s, Busy: 20 * s, Own: 8 * s, Stolen: 3 * s}, .25, .5, .1},
		{"time is not the kernel's", Usage{Known: true, At: 11 * s, CPUs: 2, Idle: 5 * s, Busy: 16 * s, Own: 4 * s, Stolen: 1 * s}, 0, 0, 0},
		{"the system does not say", Usage{At: 11 * s}, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			others, busy, stolen := c.after.Since(before)
			assert.Equal(t, []float64{c.others, c.busy, c.stolen}, []float64{others, busy, stolen})
		})
	}
}
