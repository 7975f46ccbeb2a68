package loadgen

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// bank counts durations from many goroutines at once, and hands its counts to one
// collector while they go on counting.
type bank struct {
	counts [numBuckets]atomic.Uint32
	used
}

// used has a bit for each block of buckets that may hold counts. A worker sets
// the bit after it has counted, and the collector clears it before it looks: a
// count that is made meanwhile is found now or the next time, and never lost.
type used [(numBlocks + 63) / 64]atomic.Uint64

// The latencies of a run fall into few buckets, most of them next to each other.
// A collector that skips blocks without counts therefore costs hardly anything.
const (
	blockBits = 6
	numBlocks = numBuckets >> blockBits
)

// blocks is a set of blocks.
type blocks [(numBlocks + 63) / 64]uint64

// record costs 3-4 ns. A bucket holds 2^32 counts, which the shortest call takes
// more than a minute to fill: see maxInterval.
func (b *bank) record(bucket int) {
	b.counts[bucket].Add(1)
	b.used.mark(bucket)
}

func (u *used) mark(bucket int) {
	block := bucket >> blockBits
	word, bit := &u[block/64], uint64(1)<<(block%64)
	if word.Load()&bit == 0 {
		word.Or(bit)
	}
}

// take returns the blocks that are marked, and adds them to those in use.
func (u *used) take(inUse *blocks) (found blocks) {
	for i := range u {
		if u[i].Load() != 0 {
			found[i] = u[i].Swap(0)
			inUse[i] |= found[i]
		}
	}
	return found
}

// drain moves the counts to h, and adds the blocks they were in to those in use.
func (b *bank) drain(h *Histogram, inUse *blocks) {
	found := b.used.take(inUse)
	found.each(func(i int) {
		if b.counts[i].Load() != 0 {
			h.add(i, int64(b.counts[i].Swap(0)))
		}
	})
}

// leanBank is a bank that has memory for the latencies of its calls alone. To count in it takes
// 1 ns longer.
type leanBank struct {
	octaves [numBuckets >> halfBits]atomic.Pointer[octave] // nil where nothing was counted
	used
}

// octave has the counts of the buckets of a power of two.
type octave [1 << halfBits]atomic.Uint32

func (o *octave) at(bucket int) *atomic.Uint32 { return &o[bucket&(1<<halfBits-1)] }

func (b *leanBank) record(bucket int) {
	at := &b.octaves[bucket>>halfBits]
	if at.Load() == nil {
		at.CompareAndSwap(nil, new(octave))
	}
	at.Load().at(bucket).Add(1)
	b.used.mark(bucket)
}

// drain does what that of a bank does.
func (b *leanBank) drain(h *Histogram, inUse *blocks) {
	found := b.used.take(inUse)
	found.each(func(i int) {
		if n := b.octaves[i>>halfBits].Load().at(i); n.Load() != 0 {
			h.add(i, int64(n.Swap(0)))
		}
	})
}

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

// numBanks is the number of steps of a run that are counted apart. The collector
// looks at a step when it is over, and may come up to three steps late before the
// counts of two steps are mixed. No count is lost even then.
const numBanks = 4

// shard is where some of the workers count. Several workers share one where there
// are many, to bound the memory: more than a few shards per core gain nothing.
type shard struct {
	response [numBanks]bank // by step; calls that succeeded
	service  bank           // open loop only: a closed loop's is its response
	lag      bank           // open loop only
	blocked  bank           // of a Carrier only
}

// shards are kept from run to run: a benchmark runs many, and a fresh one would
// cost page faults and show in B/op.
var shards = sync.Pool{New: func() any { return new(shard) }}

func newShards(workers int) []*shard {
	s := make([]*shard, min(workers, 8*runtime.GOMAXPROCS(0), 256))
	for i := range s {
		s[i] = shards.Get().(*shard)
	}
	return s
}

// leanShard is where the calls of a part of a mix are counted, by all workers.
type leanShard struct {
	response     [numBanks]leanBank // as those of a shard
	service, lag leanBank
}

var leanShards = sync.Pool{New: func() any { return new(leanShard) }}
