package call

import (
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// lateReplies is replies for asynchronous calls. The reply to a call that timed out may
// come during the worker's next call, in another goroutine, before or after that call's
// own reply.
type lateReplies struct {
	Replies
	slots []slot // by worker
}

// slot guards a worker's keptReply. Who takes it while it is empty writes the reply.
// When it is full, the worker reads the reply and empties it.
type slot struct {
	state   atomic.Int32
	another atomic.Bool // a right reply came that found the slot taken
	lost    bool        // a call was given up, whose reply may still come at any time
	_       [55]byte    // see keptReply
}

// The values of slot.state.
const (
	slotEmpty = iota
	slotTaken
	slotFull
)

// begin forgets what came after the end of the worker's last call, and changes the request
// for the next one. The reply to a call given up is compared with requests that nobody
// changes any more.
func (r lateReplies) begin(worker int) {
	s := &r.slots[worker]
	if s.another.Load() {
		s.another.Store(false)
	}
	turn := &r.Replies[worker].turn
	s.lost = s.lost || turn.unsure
	if s.state.Load() == slotFull {
		r.Replies[worker].judge(true)
		s.state.Store(slotEmpty)
	}
	turn.unsure = s.lost
	r.Replies.change(worker)
}

// keep is the EchoCheck. A second reply is compared at once. The error then belongs to
// its own call, as every error of an EchoCheck does.
func (r lateReplies) keep(worker int, reply framework.EchoMessage) error {
	s := &r.slots[worker]
	if !s.state.CompareAndSwap(slotEmpty, slotTaken) {
		err := compareNow(*r.Replies[worker].want.Load(), reply)
		if err == nil {
			s.another.Store(true)
		}
		return err
	}
	if err := r.Replies.Keep(worker, reply); err != nil {
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
			r.Replies[worker].turn.unsure = false
			return nil
		}
		return ErrNoReply
	}
	err := r.Replies.Compare(worker)
	s.state.Store(slotEmpty)
	if s.lost && s.another.Load() {
		err = nil // it was the reply to a call given up
	}
	return err
}
