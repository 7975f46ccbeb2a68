package bank

import (
	"runtime"
	"sync"
)

// Steps is the number of steps of a run that are counted apart. The collector
// looks at a step when it is over, and may come up to three steps late before the
// counts of two steps are mixed. No count is lost even then.
const Steps = 4

// Shard is where some of the workers count. Several workers share one where there
// are many, to bound the memory: more than a few shards per core gain nothing.
type Shard struct {
	Response [Steps]Bank // by step; calls that succeeded
	Service  Bank        // open loop only: a closed loop's is its response
	Lag      Bank        // open loop only
	Blocked  Bank        // messages of a carrier only
}

// shards are kept from run to run: a benchmark runs many, and a fresh one would
// cost page faults and show in B/op.
var shards = sync.Pool{New: func() any { return new(Shard) }}

// Shards returns empty shards for a number of workers.
func Shards(workers int) []*Shard {
	s := make([]*Shard, min(workers, 8*runtime.GOMAXPROCS(0), 256))
	for i := range s {
		s[i] = shards.Get().(*Shard)
	}
	return s
}

// Free gives an empty shard back, in which nobody counts any more.
func (s *Shard) Free() { shards.Put(s) }

// LeanShard is where the calls of a part of a mix are counted, by all workers.
type LeanShard struct {
	Response     [Steps]Lean // as those of a Shard
	Service, Lag Lean
}

var leanShards = sync.Pool{New: func() any { return new(LeanShard) }}

// NewLeanShard returns an empty one.
func NewLeanShard() *LeanShard { return leanShards.Get().(*LeanShard) }

// Free gives an empty shard back, in which nobody counts any more.
func (s *LeanShard) Free() { leanShards.Put(s) }
