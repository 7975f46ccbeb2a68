package rig

import (
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// lateReplies is replies for asynchronous calls. The reply to a call that timed out may
// come during the worker's next call, in another goroutine, before or after that call's
// own reply.
type lateReplies struct {
	replies
	slots []slot // by worker
}

// slot guards a worker's keptReply. Who takes it while it is empty writes the reply.
// When it is full, the worker reads the reply and empties it.
type slot struct {
	state   atomic.Int32
	another atomic.Bool // a right reply came that found the slot taken
	_       [56]byte    // see keptReply
}

// The values of slot.state.
const (
	slotEmpty = iota
	slotTaken
	slotFull
)

func newLateReplies(requests []framework.EchoMessage) lateReplies {
	return lateReplies{newReplies(requests), make([]slot, len(requests))}
}

// begin forgets what came after the end of the worker's last call.
func (r lateReplies) begin(worker int) {
	s := &r.slots[worker]
	if s.another.Load() {
		s.another.Store(false)
	}
	if s.state.Load() == slotFull {
		r.replies[worker].judge(true)
		s.state.Store(slotEmpty)
	}
}

// keep is the EchoCheck. A second reply is compared at once. The error then belongs to
// its own call, as every error of an EchoCheck does.
func (r lateReplies) keep(worker int, reply framework.EchoMessage) error {
	s := &r.slots[worker]
	if !s.state.CompareAndSwap(slotEmpty, slotTaken) {
		err := compareNow(r.replies[worker].want, reply)
		if err == nil {
			s.another.Store(true)
		}
		return err
	}
	if err := r.replies.keep(worker, reply); err != nil {
		s.state.Store(slotEmpty)
		return err
	}
	s.state.Store(slotFull)
	return nil
}

// compare is replies.compare.
func (r lateReplies) compare(worker int) error {
	s := &r.slots[worker]
	if s.state.Load() != slotFull {
		if s.another.Load() {
			return nil
		}
		return errNoReply
	}
	err := r.replies.compare(worker)
	s.state.Store(slotEmpty)
	return err
}
