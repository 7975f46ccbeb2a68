package streams

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// run is where a run learns what became of its messages: from its ledger in an open
// loop, and from the caller of each in a closed one. There a message has no times,
// and its slot has the number of the caller instead of when it was sent.
type run struct {
	*carrier.Ledger
	callers []chan error // closed loop only; each takes what became of its message

	base    uint64 // the number of the first message
	timeout time.Duration
	maxLag  time.Duration
	limit   int64 // of backlog; 0 for none
	before  unmatched
	full    atomic.Int64 // messages dropped since a window was full

	over    atomic.Bool
	stop    chan struct{} // closed to end expire
	expired sync.WaitGroup
}

func newRun(cfg loadgen.Config, base uint64, before unmatched) *run {
	return &run{
		base: base, timeout: cfg.Timeout, maxLag: cfg.MaxLag, limit: cfg.MaxBacklog,
		before: before, stop: make(chan struct{}),
	}
}

// What becomes of a caller's message where one of an open loop is dropped or left
// without an answer.
var (
	errFull       = errors.New("too many messages of the stream were under way")
	errUnsent     = errors.New("not sent before the end of the run")
	errUnanswered = errors.New("no answer before the end of the run")
)

func (r *run) closed() bool { return r.callers != nil }

func (r *run) now() time.Duration {
	if r.closed() {
		return 0
	}
	return r.Now()
}

// tooOld reports whether a message that waited on its stream is not to be sent.
func (r *run) tooOld(slot *slot) bool {
	switch {
	case r.closed():
		return false
	case r.maxLag == 0 && r.timeout == 0:
		return r.Stopping()
	}
	now := r.now()
	late := r.maxLag > 0 && now-time.Duration(slot.due) > r.maxLag
	return late || r.timeout > 0 && now-time.Duration(slot.sent) > r.timeout || r.Stopping()
}

func (r *run) tell(caller int64, err error) { r.callers[caller] <- err }

func (r *run) answered(s *stream, slot *slot, at time.Duration) {
	if r.closed() {
		r.tell(slot.sent, s.wrong)
		return
	}
	if s.wrong != nil {
		r.Fail(s.wrong, time.Duration(slot.due), time.Duration(slot.sent), at)
		return
	}
	s.Answered(r.Ledger, s.index, time.Duration(slot.due), time.Duration(slot.sent), at)
}

func (r *run) fail(err error, due, sent, at time.Duration) {
	if r.closed() {
		r.tell(int64(sent), err)
		return
	}
	r.Fail(err, due, sent, at)
}

// timeOut fails a message at the time at which its timeout was over.
func (r *run) timeOut(slot *slot) {
	sent := time.Duration(slot.sent)
	r.fail(context.DeadlineExceeded, time.Duration(slot.due), sent, sent+r.timeout)
}

func (r *run) drop(why error, due, sent time.Duration) {
	if r.closed() {
		r.tell(int64(sent), why)
		return
	}
	r.Drop(due)
}

// unsent drops a message that has waited on its stream.
func (r *run) unsent(s *stream, slot *slot, now time.Duration) {
	r.held(s, slot, now)
	r.drop(errUnsent, time.Duration(slot.due), time.Duration(slot.sent))
}

func (r *run) unanswered(slot *slot, now time.Duration) {
	if r.closed() {
		r.tell(slot.sent, errUnanswered)
		return
	}
	r.Unanswered(time.Duration(slot.due), now)
}

// blocked notes how long a Send took, unless the run is over and has noted it.
func (r *run) blocked(queue int, due, took time.Duration) {
	if !r.closed() && !r.over.Load() {
		r.Blocked(queue, due, took)
	}
}

// held notes how long a message has been held up that is not sent yet.
func (r *run) held(s *stream, slot *slot, now time.Duration) {
	if !r.closed() {
		r.Blocked(s.index, time.Duration(slot.due), now-time.Duration(slot.sent))
	}
}

// end ends what works for the run.
func (r *run) end() {
	r.over.Store(true)
	close(r.stop)
	r.expired.Wait()
}

// close notes when the last answer of a stream arrived.
func (r *run) close(s *stream) {
	if !r.closed() {
		s.Recorder.Close(r.Ledger)
	}
}
