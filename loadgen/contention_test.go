package loadgen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestContention(t *testing.T) {
	const s = time.Second
	before := contention{known: true, at: 1 * s, cpus: 2, idle: 5 * s, busy: 10 * s, own: 3 * s, stolen: 1 * s}
	for _, c := range []struct {
		name                 string
		after                contention
		others, busy, stolen float64
	}{
		{"nothing happened", contention{known: true, at: 11 * s, cpus: 2, idle: 25 * s, busy: 10 * s, own: 3 * s, stolen: 1 * s}, 0, 0, 0},
		{"this process alone had both CPUs", contention{known: true, at: 11 * s, cpus: 2, idle: 5 * s, busy: 30 * s, own: 23 * s, stolen: 1 * s}, 0, 1, 0},
		{"others had a quarter, the host a tenth", contention{known: true, at: 11 * s, cpus: 2, idle: 15 * s, busy: 20 * s, own: 8 * s, stolen: 3 * s}, .25, .5, .1},
		{"time is not the kernel's", contention{known: true, at: 11 * s, cpus: 2, idle: 5 * s, busy: 16 * s, own: 4 * s, stolen: 1 * s}, 0, 0, 0},
		{"the system does not say", contention{at: 11 * s}, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			others, busy, stolen := c.after.since(before)
			assert.Equal(t, []float64{c.others, c.busy, c.stolen}, []float64{others, busy, stolen})
		})
	}
}
