// Package bank counts latencies from many goroutines at once, and hands its counts to one
// collector while they go on counting.
package bank

import (
	"sync/atomic"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
)

// Bank counts durations by their buckets.
type Bank struct {
	counts [bucket.Count]atomic.Uint32
	used
}

// used has a bit for each block of buckets that may hold counts. A worker sets
// the bit after it has counted, and the collector clears it before it looks: a
// count that is made meanwhile is found now or the next time, and never lost.
type used [bucket.Words]atomic.Uint64

// Record costs 3-4 ns. A bucket holds 2^32 counts, which the shortest call takes
// more than a minute to fill: the longest Interval of a Config.
func (b *Bank) Record(bucket int) {
	b.counts[bucket].Add(1)
	b.used.mark(bucket)
}

func (u *used) mark(i int) {
	block := i >> bucket.BlockBits
	word, bit := &u[block/64], uint64(1)<<(block%64)
	if word.Load()&bit == 0 {
		word.Or(bit)
	}
}

// take returns the blocks that are marked, and adds them to those in use.
func (u *used) take(inUse *bucket.Blocks) (found bucket.Blocks) {
	for i := range u {
		if u[i].Load() != 0 {
			found[i] = u[i].Swap(0)
			inUse[i] |= found[i]
		}
	}
	return found
}

// Drain moves the counts to others by bucket, which have memory once there are any, and
// returns their sum. It adds the blocks that they were in to those in use.
func (b *Bank) Drain(to *[]int64, inUse *bucket.Blocks) (sum int64) {
	found := b.used.take(inUse)
	found.Each(func(i int) {
		if b.counts[i].Load() != 0 {
			sum += move(&b.counts[i], to, i)
		}
	})
	return sum
}

// move moves the count of a bucket.
func move(from *atomic.Uint32, to *[]int64, i int) int64 {
	if *to == nil {
		*to = make([]int64, bucket.Count)
	}
	n := int64(from.Swap(0))
	(*to)[i] += n
	return n
}

// Lean is a Bank that has memory for the latencies of its calls alone. To count in it takes
// 1 ns longer.
type Lean struct {
	octaves [bucket.Count >> bucket.HalfBits]atomic.Pointer[octave] // nil where nothing was counted
	used
}

// octave has the counts of the buckets of a power of two.
type octave [1 << bucket.HalfBits]atomic.Uint32

func (o *octave) at(i int) *atomic.Uint32 { return &o[i&(1<<bucket.HalfBits-1)] }

// Record counts a duration of a bucket.
func (b *Lean) Record(i int) {
	at := &b.octaves[i>>bucket.HalfBits]
	if at.Load() == nil {
		at.CompareAndSwap(nil, new(octave))
	}
	at.Load().at(i).Add(1)
	b.used.mark(i)
}

// Drain does what Drain of a Bank does.
func (b *Lean) Drain(to *[]int64, inUse *bucket.Blocks) (sum int64) {
	found := b.used.take(inUse)
	found.Each(func(i int) {
		if n := b.octaves[i>>bucket.HalfBits].Load().at(i); n.Load() != 0 {
			sum += move(n, to, i)
		}
	})
	return sum
}
