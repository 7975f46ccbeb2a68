// Package procs reads how long goroutines of this process wait until they run.
package procs

import (
	"runtime/metrics"
	"time"
)

// Waits is how often goroutines have waited for how long, from when they could run until
// they ran. The runtime takes the time of one in eight.
type Waits struct {
	bounds []float64 // seconds; wait i was from bounds[i] to bounds[i+1]
	counts []uint64
}

// Read returns the waits since the start of the process. It takes some microseconds.
func Read() Waits {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return Waits{}
	}
	h := sample[0].Value.Float64Histogram()
	return Waits{h.Buckets, h.Counts}
}

// Since returns the percentile of the waits between before and w, to within a bucket of the
// runtime, which is some 12 % wide; 0 if there were none, or if the runtime does not tell.
func (w Waits) Since(before Waits, quantile float64) time.Duration {
	var all uint64
	for i := range w.counts {
		all += w.between(before, i)
	}
	beyond := uint64(float64(all) * (1 - quantile))
	for i := len(w.counts) - 1; i > 0; i-- {
		n := w.between(before, i)
		if n > beyond {
			return time.Duration(w.bounds[i] * 1e9)
		}
		beyond -= n
	}
	return 0
}

func (w Waits) between(before Waits, i int) uint64 {
	if i >= len(before.counts) {
		return w.counts[i]
	}
	return w.counts[i] - before.counts[i]
}
