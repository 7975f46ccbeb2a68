// Package bucket has the buckets in which latencies are counted.
package bucket

import (
	"math/bits"
	"time"
)

// A value v in nanoseconds below 2^subBits has a bucket of its own; above, each
// power of two is cut into 2^(subBits-1) buckets, so that a bucket is never
// wider than v/1024. These are the bucket bounds of an HdrHistogram of three
// significant digits, so that exports lose nothing.
const (
	subBits = 11
	maxBits = 40

	HalfBits = subBits - 1                          // the logarithm of the buckets of a power of two
	Count    = (maxBits - HalfBits + 1) << HalfBits // the number of buckets
)

// Longest is the longest time that has a bucket; longer times count as Longest.
const Longest = time.Duration(1<<maxBits - 1)

// Of returns the bucket of v; negative values count as 0.
func Of(v time.Duration) int {
	u := uint64(v)
	if u > uint64(Longest) {
		u = uint64(min(max(v, 0), Longest))
	}
	shift := bits.Len64(u|(1<<subBits-1)) - subBits
	return shift<<HalfBits + int(u>>uint(shift))
}

// High returns the largest value of bucket i.
func High(i int) time.Duration {
	shift := max(i>>HalfBits-1, 0)
	low := time.Duration(i-shift<<HalfBits) << shift
	return low + 1<<shift - 1
}

// Mid returns the value that stands for bucket i in a mean.
func Mid(i int) float64 {
	shift := max(i>>HalfBits-1, 0)
	return float64(High(i)) - float64(uint64(1)<<shift-1)/2
}

// The latencies of a run fall into few buckets, most of them next to each other.
// A collector that skips blocks without counts therefore costs hardly anything.
const (
	BlockBits = 6 // the logarithm of the buckets of a block
	numBlocks = Count >> BlockBits
)

// Words is how many words a set of blocks has, with a bit for each of them.
const Words = (numBlocks + 63) / 64

// Blocks is a set of blocks.
type Blocks [Words]uint64

// Add adds the block of a bucket.
func (s *Blocks) Add(bucket int) { s[bucket>>BlockBits/64] |= 1 << (bucket >> BlockBits % 64) }

// Each calls f for each bucket of the set.
func (s *Blocks) Each(f func(bucket int)) {
	for i, set := range s {
		for ; set != 0; set &= set - 1 {
			first := (i*64 + bits.TrailingZeros64(set)) << BlockBits
			for bucket := first; bucket < first+1<<BlockBits; bucket++ {
				f(bucket)
			}
		}
	}
}
