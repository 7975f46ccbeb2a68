package loadgen

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIntervalsInRealTime: a rate of 2,000 a second is seen in every interval, on
// any number of procs and whether the intervals are short or long. Fake time cannot
// tell, since gathering takes none there. The bounds are wide: a machine that
// stands still for 500 ms moves the calls of ten intervals of 50 ms.
func TestIntervalsInRealTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 16, 64} {
		for _, interval := range []time.Duration{minInterval, 50 * time.Millisecond, 400 * time.Millisecond} {
			t.Run(fmt.Sprintf("procs=%d/interval=%v", procs, interval), func(t *testing.T) {
				runtime.GOMAXPROCS(procs)
				checkIntervals(t, interval)
			})
		}
	}
}

func checkIntervals(t *testing.T, interval time.Duration) {
	const rate, duration = 2000, 1200 * time.Millisecond
	late, heard := time.Duration(0), 0
	begin := time.Now()
	res, err := Run(t.Context(), Config{
		Workers: 500, Schedule: Constant(rate), Duration: duration, Interval: interval, Wait: WaitQuiet,
		OnProgress: func(p Progress) error {
			heard++
			late = max(late, p.Elapsed-time.Duration(heard)*interval)
			return nil
		},
	}, func(context.Context, int) error { return nil })
	took := time.Since(begin)
	require.NoError(t, err)
	checkSums(t, res)
	want, counts := rate*interval.Seconds(), []int64{}
	for _, p := range res.Series {
		counts = append(counts, p.OK)
	}
	t.Log(counts)
	slices.Sort(counts)
	if interval > minInterval { // a busy machine lets nobody run for 10 ms
		assert.InDelta(t, want, counts[len(counts)/2], want/2, "the median of them")
	}
	assert.LessOrEqual(t, float64(counts[len(counts)-1]), want+rate/2, "none has the calls of many")
	assert.InDelta(t, int(duration/interval), len(res.Series), 1)
	assert.Less(t, late, interval+time.Second, "Progress comes on time")
	assert.Less(t, took, duration+3*time.Second, "the run ends on time")
}
