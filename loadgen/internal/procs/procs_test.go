package procs

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSince(t *testing.T) {
	bounds := []float64{math.Inf(-1), 0, 1e-3, 2e-3, math.Inf(1)}
	for _, c := range []struct {
		name          string
		before, after []uint64
		quantile      float64
		want          time.Duration
	}{
		{"nobody waited", nil, []uint64{0, 0, 0, 0}, .99, 0},
		{"all waited for less than the second bound", nil, []uint64{0, 100, 0, 0}, .99, 0},
		{"one of a hundred waited longer, and is beyond the p99", nil, []uint64{0, 99, 1, 0}, .99, 0},
		{"two of a hundred waited longer", nil, []uint64{0, 98, 2, 0}, .99, time.Millisecond},
		{"what was before does not count", []uint64{0, 0, 0, 50}, []uint64{0, 10, 90, 50}, .99, time.Millisecond},
		{"the longest have no upper bound", nil, []uint64{0, 0, 0, 10}, .5, 2 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, Waits{bounds, c.after}.Since(Waits{bounds, c.before}, c.quantile))
		})
	}
}

// A goroutine that is started while all processors are busy waits for one. Half of all waits
// are short: those of the test itself for each of the others.
func TestRead(t *testing.T) {
	before := Read()
	done := make(chan bool)
	const busy = 5 * time.Millisecond
	for range 64 * runtime.GOMAXPROCS(0) {
		go func() {
			for start := time.Now(); time.Since(start) < busy; {
			}
			done <- true
		}()
	}
	for range 64 * runtime.GOMAXPROCS(0) {
		<-done
	}
	assert.Greater(t, Read().Since(before, .95), busy/10)
}
