package loadgen

import (
	"math"
	"math/bits"
	"time"
)

// A value v in nanoseconds below 2^subBits has a bucket of its own; above, each
// power of two is cut into 2^(subBits-1) buckets, so that a bucket is never
// wider than v/1024. These are the bucket bounds of an HdrHistogram of three
// significant digits, so that exports lose nothing.
const (
	subBits    = 11
	halfBits   = subBits - 1
	maxBits    = 40
	numBuckets = (maxBits - halfBits + 1) << halfBits
)

// MaxLatency is the longest time that a histogram can hold, 18 minutes; longer
// times count as MaxLatency.
const MaxLatency = time.Duration(1<<maxBits - 1)

// bucketOf returns the bucket of v; negative values count as 0.
func bucketOf(v time.Duration) int {
	u := uint64(v)
	if u > uint64(MaxLatency) {
		u = uint64(min(max(v, 0), MaxLatency))
	}
	shift := bits.Len64(u|(1<<subBits-1)) - subBits
	return shift<<halfBits + int(u>>uint(shift))
}

// bucketHigh returns the largest value of bucket i.
func bucketHigh(i int) time.Duration {
	shift := max(i>>halfBits-1, 0)
	low := time.Duration(i-shift<<halfBits) << shift
	return low + 1<<shift - 1
}

// bucketMid returns the value that stands for bucket i in a mean.
func bucketMid(i int) float64 {
	shift := max(i>>halfBits-1, 0)
	return float64(bucketHigh(i)) - float64(uint64(1)<<shift-1)/2
}

// Histogram counts durations from 1 ns to MaxLatency to within 0.1 %. The zero
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

// Record counts the value d n times.
func (h *Histogram) Record(d time.Duration, n int64) { h.add(bucketOf(d), n) }

func (h *Histogram) add(bucket int, n int64) {
	if h.counts == nil {
		h.counts = make([]int64, numBuckets)
	}
	h.counts[bucket] += n
	h.total += n
}

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
		h.counts = make([]int64, numBuckets)
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
	for _, m := range h.counts[bucketOf(d)+1:] {
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
			return bucketHigh(i)
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
			return bucketHigh(i)
		}
	}
	return 0
}

// Min returns the smallest value, to within 0.1 %; 0 when the histogram is empty.
func (h *Histogram) Min() time.Duration {
	for i, n := range h.counts {
		if n > 0 {
			return bucketHigh(i)
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
			sum += bucketMid(i) * float64(n)
		}
	}
	return time.Duration(math.Round(sum / float64(h.total)))
}

// The latencies of a run fall into few buckets, most of them next to each other.
// A collector that skips blocks without counts therefore costs hardly anything.
const (
	blockBits = 6
	numBlocks = numBuckets >> blockBits
)

// blocks is a set of blocks.
type blocks [(numBlocks + 63) / 64]uint64

func (s *blocks) add(bucket int) { s[bucket>>blockBits/64] |= 1 << (bucket >> blockBits % 64) }

// each calls f for each bucket of the set.
func (s *blocks) each(f func(bucket int)) {
	for i, set := range s {
		for ; set != 0; set &= set - 1 {
			first := (i*64 + bits.TrailingZeros64(set)) << blockBits
			for bucket := first; bucket < first+1<<blockBits; bucket++ {
				f(bucket)
			}
		}
	}
}
