package loadgen

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIntervalsInRealTime: a rate of 2,000 a second is seen in every interval, on
// any number of procs and whether the intervals are short or long. Fake time cannot
// tell, since gathering takes none there. The bounds are wide, and one of five
// attempts within them will do: other processes can keep this one from running for
// a second, and a fault of the code shows in every attempt.
func TestIntervalsInRealTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 16, 64} {
		for _, interval := range []time.Duration{minInterval, 50 * time.Millisecond, 400 * time.Millisecond} {
			t.Run(fmt.Sprintf("procs=%d/interval=%v", procs, interval), func(t *testing.T) {
				runtime.GOMAXPROCS(procs)
				inTime := false
				for range 5 {
					if inTime = intervalsInTime(t, interval); inTime {
						break
					}
				}
				assert.True(t, inTime || raceDetector, "the race detector slows the generator tenfold")
			})
		}
	}
}

// intervalsInTime makes a run, checks its counts, and reports whether its intervals
// were gathered in time.
func intervalsInTime(t *testing.T, interval time.Duration) bool {
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
	var counts []int64
	for _, p := range res.Series {
		counts = append(counts, p.OK)
	}
	t.Log(counts, late, took)
	return typical(counts, rate*interval.Seconds(), interval) &&
		math.Abs(float64(len(counts))-float64(duration/interval)) <= 1 &&
		late < interval+time.Second && took < duration+3*time.Second
}

// typical reports whether the median of the intervals has about what it should,
// and none has the calls of many. Of 10 ms a busy machine says nothing: it lets
// nobody run for so long.
func typical(counts []int64, want float64, interval time.Duration) bool {
	counts = slices.Sorted(slices.Values(counts))
	median, most := float64(counts[len(counts)/2]), float64(counts[len(counts)-1])
	return (interval == minInterval || math.Abs(median-want) <= want/2) && most <= want+1000
}
