package loadgen

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// recorder counts durations from many goroutines at once, and hands its counts
// to one collector while they go on. It has two banks: calls that end in the
// intervals 0, 2, 4, … of a run count in one, the others in the other, so that
// a bank is emptied while nobody, or only a late goroutine, writes to it. A
// late count is not lost: it is collected with the bank's next interval.
type recorder struct {
	banks [2][numBuckets]atomic.Uint32
}

// record costs 3-4 ns. A bucket holds 2^32 counts, which the shortest call
// takes more than a minute to fill: see maxInterval.
func (r *recorder) record(interval int, d time.Duration) {
	r.banks[interval&1][bucketOf(d)].Add(1)
}

// drain moves the counts of an interval's bank to h. It calls pause between
// slices of work short enough not to hold up a call on the same core.
func (r *recorder) drain(interval int, h *Histogram, pause func()) {
	bank := &r.banks[interval&1]
	for i := range bank {
		if bank[i].Load() != 0 {
			h.add(i, int64(bank[i].Swap(0)))
		}
		if i%drainSlice == drainSlice-1 {
			pause()
		}
	}
}

// drainSlice buckets are looked at in some 5 µs.
const drainSlice = 1 << 13

// shard is where some of the workers count. There are fewer shards than
// workers when there are many workers, to bound the memory: more than a few
// per core gain nothing.
type shard struct {
	response recorder // closed loop: service as well
	service  recorder // open loop only, as is lag
	lag      recorder
}

// shards are kept from run to run: a benchmark runs many, and a fresh one
// would cost page faults and show in B/op.
var shards = sync.Pool{New: func() any { return new(shard) }}

func newShards(workers int) []*shard {
	s := make([]*shard, min(workers, 8*runtime.GOMAXPROCS(0), 256))
	for i := range s {
		s[i] = shards.Get().(*shard)
	}
	return s
}
