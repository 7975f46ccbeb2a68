package loadgen

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// bank counts durations from many goroutines at once, and hands its counts to one
// collector while they go on.
type bank struct {
	counts [numBuckets]atomic.Uint32
	// used has a bit for each block of buckets that may hold counts. A call sets
	// it after it has counted, the collector clears it before it looks: what is
	// counted meanwhile is found now or the next time, and never lost.
	used [(numBlocks + 63) / 64]atomic.Uint64
}

// Few buckets of a histogram are in use, all beside each other, so that a
// collector that looks at blocks of them hardly costs anything.
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
	block := bucket >> blockBits
	word, bit := &b.used[block/64], uint64(1)<<(block%64)
	if word.Load()&bit == 0 {
		word.Or(bit)
	}
}

// drain moves the counts to h, and adds the blocks they were in to those in use.
func (b *bank) drain(h *Histogram, inUse *blocks) {
	for i := range b.used {
		if b.used[i].Load() == 0 {
			continue
		}
		set := b.used[i].Swap(0)
		inUse[i] |= set
		for ; set != 0; set &= set - 1 {
			b.drainBlock(i*64+bits.TrailingZeros64(set), h)
		}
	}
}

func (b *bank) drainBlock(block int, h *Histogram) {
	for i := block << blockBits; i < (block+1)<<blockBits; i++ {
		if b.counts[i].Load() != 0 {
			h.add(i, int64(b.counts[i].Swap(0)))
		}
	}
}

func (s *blocks) add(bucket int) { s[bucket>>blockBits/64] |= 1 << (bucket >> blockBits % 64) }

// each calls f for the buckets of the set.
func (s *blocks) each(f func(from, to int)) {
	for i, set := range s {
		for ; set != 0; set &= set - 1 {
			block := i*64 + bits.TrailingZeros64(set)
			f(block<<blockBits, (block+1)<<blockBits)
		}
	}
}

// numBanks is how many steps of a run count apart: the collector, which looks at
// a step when it is over, may come late by three of them before the counts of two
// steps are mixed. None is lost even then.
const numBanks = 4

// shard is where some of the workers count. There are fewer shards than workers
// when there are many workers, to bound the memory: more than a few per core gain
// nothing.
type shard struct {
	response [numBanks]bank // by step; closed loop: service as well
	service  bank           // open loop only, as is lag
	lag      bank
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
