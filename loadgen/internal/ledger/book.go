// Package ledger is what calls and messages of a run are counted in while they are made.
package ledger

import (
	"sync/atomic"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
)

// Book is where the calls of a run are counted, by whoever sees them end.
type Book struct {
	Timeline
	Shards   []*bank.Shard
	Failures failure.Calls
	NotMade  atomic.Int64 // arrivals that were taken, and whose calls might not start any more
	LastDone atomic.Int64 // ns
}

// StoreMax makes a no less than v.
func StoreMax(a *atomic.Int64, v int64) {
	for old := a.Load(); v > old && !a.CompareAndSwap(old, v); old = a.Load() {
	}
}
