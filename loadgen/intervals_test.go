//go:build !race

// The race detector slows the generator tenfold, and TestRandomConfigurations has the
// same intervals and procs under it.

package loadgen

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const envIntervals = "LOADGEN_TEST_INTERVALS" // set: this process makes the runs of TestIntervals

// TestIntervalsInRealTime: a rate of 2,000 a second is seen in every interval, on
// any number of procs and whether the intervals are short or long. Each number of procs
// has a process of its own, and they run beside each other.
func TestIntervalsInRealTime(t *testing.T) {
	if testing.Short() {
		t.Skip("four processes make calls for a second")
	}
	t.Parallel()
	outputs := map[int]chan string{}
	for _, procs := range []int{1, 2, 16, 64} {
		outputs[procs] = make(chan string, 1)
		go func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestIntervals$", "-test.v")
			cmd.Env = append(os.Environ(), envIntervals+"=1", fmt.Sprint("GOMAXPROCS=", procs))
			out, err := cmd.CombinedOutput()
			outputs[procs] <- fmt.Sprintf("%s%v", out, err)
		}()
	}
	for procs, output := range outputs {
		assert.Regexp(t, `(?s)PASS\n.*<nil>$`, <-output, "%d procs", procs)
	}
}

// TestIntervals makes the runs of a process of TestIntervalsInRealTime. Fake time cannot
// tell, since gathering takes none there. The bounds are wide, and one of five
// attempts within them will do: other processes can keep this one from running for
// a second, and a fault of the code shows in every attempt.
func TestIntervals(t *testing.T) {
	if os.Getenv(envIntervals) == "" {
		t.Skip("it is run by TestIntervalsInRealTime")
	}
	for interval, duration := range map[time.Duration]time.Duration{
		minInterval: 300 * time.Millisecond, 50 * time.Millisecond: 300 * time.Millisecond, 200 * time.Millisecond: 600 * time.Millisecond,
	} {
		t.Run(interval.String(), func(t *testing.T) {
			inTime := false
			for range 5 {
				if inTime = intervalsInTime(t, interval, duration); inTime {
					break
				}
			}
			assert.True(t, inTime)
		})
	}
}

// intervalsInTime makes a run, checks its counts, and reports whether its intervals
// were gathered in time.
func intervalsInTime(t *testing.T, interval, duration time.Duration) bool {
	const rate = 2000
	late, heard := time.Duration(0), 0
	begin := time.Now()
	res, err := Run(t.Context(), Config{
		Workers: 500, Schedule: Constant(rate), Duration: duration, Interval: interval,
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
