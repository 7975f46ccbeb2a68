package loadgen

import (
	"math"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
)

// MaxLatency is the longest time that a histogram can hold, 18 minutes; longer
// times count as MaxLatency.
const MaxLatency = time.Duration(1<<40 - 1)

// Histogram counts durations from 0 to MaxLatency, in buckets that are no wider than 0.1 % of
// what is in them: those of an HdrHistogram of three significant digits. The zero
// value is an empty histogram, ready to use. Only one goroutine may write to it at
// a time, and none may read it meanwhile.
//
// A Histogram must not be copied, and neither must a struct that holds one, such
// as Result: a copy would share its counts. go vet reports copies; Merge into a
// zero Histogram makes one with counts of its own.
type Histogram struct {
	_      noCopy
	counts []int64 // nil, or one per bucket
	total  int64
}

// noCopy makes go vet report copies of a struct that holds one.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// move gives to what from holds, and leaves from zero, so that the two share no
// counts. It is generic because go vet reports a copy of a Histogram, and not one
// of a type parameter.
func move[T any](to, from *T) {
	*to = *from
	*from = *new(T)
}

// Record counts the value d n times, n at least 0. A negative value counts as 0, and one of
// more than MaxLatency as MaxLatency.
func (h *Histogram) Record(d time.Duration, n int64) { h.add(bucket.Of(d), n) }

func (h *Histogram) add(i int, n int64) {
	if h.counts == nil {
		h.counts = make([]int64, bucket.Count)
	}
	h.counts[i] += n
	h.total += n
}

// counter is a bank, or a lean one.
type counter interface {
	Drain(to *[]int64, inUse *bucket.Blocks) (sum int64)
}

// drain moves the counts of c to h, and adds the blocks they were in to those in use.
func (h *Histogram) drain(c counter, inUse *bucket.Blocks) { h.total += c.Drain(&h.counts, inUse) }

// empty removes all counts, and keeps the memory for more.
func (h *Histogram) empty() {
	clear(h.counts)
	h.total = 0
}

// Merge adds the counts of other, which may be nil.
func (h *Histogram) Merge(other *Histogram) {
	if other == nil || other.total == 0 {
		return
	}
	if h.counts == nil {
		h.counts = make([]int64, bucket.Count)
	}
	h.total += other.total
	to := h.counts[:len(other.counts)]
	for i, n := range other.counts {
		to[i] += n
	}
}

// has reports whether h holds all that other does.
func (h *Histogram) has(other *Histogram) bool {
	for i, n := range other.counts {
		if n > 0 && (h.counts == nil || n > h.counts[i]) {
			return false
		}
	}
	return true
}

// Count returns how many values were recorded.
func (h *Histogram) Count() int64 { return h.total }

// Over returns how many values were over d, to within 0.1 %.
func (h *Histogram) Over(d time.Duration) (n int64) {
	if h.counts == nil {
		return 0
	}
	for _, m := range h.counts[bucket.Of(d)+1:] {
		n += m
	}
	return n
}

// Quantile returns the smallest value that a share q of all values, from 0 to 1,
// does not exceed, rounded up by at most 0.1 %; 0 when the histogram is empty.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.total == 0 {
		return 0
	}
	want := rank(q, h.total)
	for i, n := range h.counts {
		if want -= n; n > 0 && want <= 0 {
			return bucket.High(i)
		}
	}
	return h.Max()
}

// rank is the number, from 1, of the value that is a quantile of all.
func rank(q float64, all int64) int64 { return max(int64(math.Ceil(q*float64(all))), 1) }

// EnoughFor reports whether h holds enough values for its quantile q to be worth
// showing: 10 that are larger, so 1,000 in all for p99 and 10,000 for p99.9. The
// median, and quantiles below it, need one value. That is for a Result, which has an
// interval beside a quantile; the lines of package loadbench need more.
func (h *Histogram) EnoughFor(q float64) bool { return enoughFor(h.total, q) }

func enoughFor(total int64, q float64) bool {
	const beyond, ulp = 10, 1e-9 // 1-q is not exact
	return total > 0 && (q <= .5 || float64(total)*(1-q) >= beyond-ulp)
}

// Max returns the largest value, to within 0.1 %; 0 when the histogram is empty.
func (h *Histogram) Max() time.Duration {
	for i := len(h.counts) - 1; i >= 0; i-- {
		if h.counts[i] > 0 {
			return bucket.High(i)
		}
	}
	return 0
}

// Min returns the smallest value, to within 0.1 %; 0 when the histogram is empty.
func (h *Histogram) Min() time.Duration {
	for i, n := range h.counts {
		if n > 0 {
			return bucket.High(i)
		}
	}
	return 0
}

// Mean returns the arithmetic mean, to within 0.1 %; 0 when the histogram is empty.
func (h *Histogram) Mean() time.Duration {
	if h.total == 0 {
		return 0
	}
	sum := 0.0
	for i, n := range h.counts {
		if n > 0 {
			sum += bucket.Mid(i) * float64(n)
		}
	}
	return time.Duration(math.Round(sum / float64(h.total)))
}
