package loadgen

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
)

// worker is one goroutine that makes calls one after the other.
type worker struct {
	id         int
	shard      *bank.Shard
	bank       *bank.Bank    // of the shard, for the calls that end now
	due        atomic.Int64  // of the call under way, or one of the values below
	sent       time.Duration // of that call
	returned   bool          // its loop has ended, and not by a panic
	holdsToken bool
	atLeast    time.Duration // response of the last call: its Timeout, if that was over
	claimed    int64         // closed loop: calls it may still make
	number     int64         // of the call under way, for OnCall and a mix
	part       *part         // the part of a mix that makes the call
	service    time.Duration // of its last call
	last       time.Duration // when its last call ended
	step       int           // in which calls that end now count
	boundary   time.Duration // the end of that step
	reply      *reply        // asynchronous calls only
	_          [40]byte      // so that no two workers write to one cache line
}

// Values of a worker's due when it is in no call, or in none that it may count. A
// call belongs to the worker that made it until the run takes it away. Worker and
// run both change due by compare-and-swap, so exactly one of them counts a call
// that was made, and none counts a call that was not.
const (
	inNoCall  = never + iota
	noMore    // in no call, and may not start one
	takenAway // in a call that has been counted as unfinished
	ended     // the goroutine has ended
)

// startCall reports whether the worker may still make a call.
func (w *worker) startCall(due, sent time.Duration) bool {
	w.sent = sent
	return w.due.CompareAndSwap(int64(inNoCall), int64(due))
}

// endCall reports whether the call is the worker's to count.
func (w *worker) endCall(due time.Duration) bool {
	return w.due.CompareAndSwap(int64(due), int64(inNoCall))
}

// takeCall takes the call under way from the worker, or keeps it from starting one.
func (w *worker) takeCall() (due time.Duration, inCall bool) {
	for {
		due = time.Duration(w.due.Load())
		switch {
		case due == inNoCall && w.due.CompareAndSwap(int64(due), int64(noMore)):
			return 0, false
		case due > inNoCall:
			return 0, false
		case due < inNoCall && w.due.CompareAndSwap(int64(due), int64(takenAway)):
			return due, true
		}
	}
}

// pool is the workers of a run.
type pool struct {
	workers []worker
	work    func(w *worker) // what each of them does
	ready   sync.WaitGroup  // workers that do not run yet
	started atomic.Int64    // workers that were started
	running atomic.Int64    // those that have not ended
	alive   atomic.Int64    // running workers whose call was not taken from them
	allDone chan struct{}   // closed when running is 0
}

// start starts the next worker, if there is one. While the clock runs only a worker
// may call it, so that not all have ended.
func (p *pool) start() {
	i := p.started.Add(1) - 1
	if i >= int64(len(p.workers)) {
		p.started.Store(int64(len(p.workers)))
		return
	}
	p.ready.Add(1)
	p.running.Add(1)
	p.alive.Add(1)
	go p.work(&p.workers[i])
}

// end is the last that a worker does.
func (p *pool) end(w *worker) {
	if time.Duration(w.due.Swap(int64(ended))) != takenAway {
		p.alive.Add(-1)
	}
	if p.running.Add(-1) == 0 {
		close(p.allDone)
	}
}

// allInCallsSince reports whether the workers that have not ended are all in calls
// that they made before a time, and at least one worker is.
func (p *pool) allInCallsSince(since time.Duration) (all bool) {
	for i := range p.workers {
		switch due := time.Duration(p.workers[i].due.Load()); {
		case due == ended:
		case due > since: // so is inNoCall
			return false
		default:
			all = true
		}
	}
	return all
}

// waitForNone waits until n is 0, as long as it gets smaller within a second.
func waitForNone(n *atomic.Int64) { waitForFew(n, 0) }

// waitForFew waits until n is no more than few.
func waitForFew(n *atomic.Int64, few int64) {
	for left, slept := n.Load(), 0; left > few && slept < 1000; slept++ {
		time.Sleep(time.Millisecond)
		if now := n.Load(); now < left {
			left, slept = now, 0
		}
	}
}

// endGrace is the time that calls under way have when Drain is over, so that
// those that end at that moment are not counted as unfinished.
const endGrace = 20 * time.Millisecond
