package loadgen

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/sparse"
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

// tally is what was gathered of a run, or of one part of a mix.
type tally struct {
	response, service, lag, blocked, errors Histogram
	series                                  []Point
	longest                                 int           // bucket of the longest response so far
	longestAt                               time.Duration // the end of the step in which it ended
	failed                                  int64         // failed calls of the interval under way
	*window
}

// window is what a tally has of the time under way. It is kept from run to run.
type window struct {
	interval sparse.Counts // responses of the interval under way, by bucket
	batches  batches
}

var windows = sync.Pool{New: func() any { return new(window) }}

func (w *window) empty() {
	w.interval.Empty()
	w.batches.empty()
}

// add adds the responses of a step, which are in the blocks in use. It notes the end of the
// step in which the longest ended: calls cost nothing for it.
func (t *tally) add(step *Histogram, inUse *blocks, failed int64, end time.Duration) {
	t.failed += failed
	inUse.each(func(i int) {
		n := step.counts[i]
		if n == 0 {
			return
		}
		t.response.add(i, n)
		t.interval.Add(i, n)
		if i > t.longest {
			t.longest, t.longestAt = i, end
		}
	})
}

// addPoint makes a Point of the interval that has ended.
func (t *tally) addPoint(start, length time.Duration) {
	p := Point{Start: start, Length: length, OK: t.interval.Total() - t.failed, Failed: t.failed}
	p.P50, p.P90, p.P99, p.Max = t.quantile(.5), t.quantile(.9), t.quantile(.99), t.quantile(1)
	t.series = append(t.series, p)
	t.interval.Empty()
	t.failed = 0
}

// quantile is Histogram.Quantile of the interval.
func (t *tally) quantile(q float64) time.Duration {
	want := rank(q, t.interval.Total())
	for i, n := range t.interval.From(0) {
		if want -= n; want <= 0 {
			return bucketHigh(i)
		}
	}
	return 0
}

// ended is how many calls ended in an interval.
func (t *tally) ended(interval int) int64 { return t.series[interval].OK + t.series[interval].Failed }

// mergeTimes adds what has no steps.
func (t *tally) mergeTimes(other *tally) {
	t.service.Merge(&other.service)
	t.lag.Merge(&other.lag)
	t.errors.Merge(&other.errors)
}

// result gives what was gathered to a Result, whose Closed and Elapsed are set.
func (t *tally) result(res *Result, warmup time.Duration) *Result {
	move(&res.Response, &t.response)
	move(&res.Service, &t.service)
	move(&res.Lag, &t.lag)
	move(&res.Blocked, &t.blocked)
	move(&res.Errors, &t.errors)
	if res.Closed {
		res.Service.Merge(&res.Response)
	}
	res.count()
	res.Series = t.series
	if res.Sent > 0 {
		res.MaxAt = min(max(t.longestAt-warmup, 0), res.Elapsed)
	}
	return res
}
