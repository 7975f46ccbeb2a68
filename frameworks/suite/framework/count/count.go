// Package count counts what the handlers of a process do, for adapters that answer calls
// without package handler or that trace them. The suite reads the counts, and adapters add
// to them.
//
// A count starts when it is first read. Until then nothing is counted, so that servers of
// benchmarks that read no count do not pay for it.
package count

import (
	"math/rand/v2"
	"sync/atomic"
)

// tally counts what handlers do on all CPUs at once, from when it is first read.
type tally struct {
	counting atomic.Bool
	shards   [64]struct {
		n atomic.Int64
		_ [56]byte // handlers on other CPUs write their own cache lines
	}
}

// add counts one. Until the tally is read it does nothing.
func (t *tally) add() {
	if t.counting.Load() {
		t.shards[rand.Uint32()%uint32(len(t.shards))].n.Add(1)
	}
}

// read returns what was counted since the first call of read, which starts the count.
func (t *tally) read() (n int64) {
	t.counting.Store(true)
	for i := range t.shards {
		n += t.shards[i].n.Load()
	}
	return n
}

// These count what this process has done. They are package variables, because frameworks call
// handlers without an argument of ours.
var (
	calls           tally
	roots, children tally // spans
)

// Call counts a call that a handler has completed, failed ones too. Package handler calls it;
// a server that answers without package handler calls it itself.
func Call() { calls.add() }

// Calls returns how many calls the handlers of this process have completed since the
// first call of Calls, which starts the count.
func Calls() int64 { return calls.read() }

// Span counts a span of OpenTelemetry that has ended, with a parent or without.
func Span(hasParent bool) {
	if hasParent {
		children.add()
	} else {
		roots.add()
	}
}

// Spans returns how many spans have ended in this process since the first call of Spans,
// which starts the count, and how many of them have a parent. A call is traced where its
// span has a parent, since a span of its own says nothing of who has called.
func Spans() (all, withParent int64) {
	withParent = children.read()
	return roots.read() + withParent, withParent
}
