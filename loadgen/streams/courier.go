package streams

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// courier is what a Load is for its runs: a carrier.Carrier.
type courier struct {
	Config
	streams []stream

	// What Accept works on, for one message at a time.
	accepting sync.Mutex // held by callers of a closed loop; an open loop sees to that itself
	next      uint64     // the message after the one accepted last
	index     int        // its stream
	seq       uint64     // its number on that stream
	latest    *slot      // of the message accepted last; nil if it was not accepted
	latestSeq uint64
	deepest   int64 // the largest that backlog was

	backlog atomic.Int64 // messages that wait on their streams to be sent
	run     atomic.Pointer[run]

	idle int // streams below are idle, once the last message was accepted

	tally tally
}

var _ carrier.Carrier = (*courier)(nil)

func newCourier(cfg Config, list []Stream) *courier {
	c := &courier{Config: cfg, streams: make([]stream, len(list))}
	for i := range c.streams {
		s := &c.streams[i]
		s.Stream, s.index, s.number = list[i], i, uint64(i)
		s.ring.Store(&ring{slots: make([]slot, min(cfg.Window, firstRing))})
	}
	return c
}

// prepare makes the next run. Its messages begin with stream 0, after the numbers
// of all earlier ones, so that a late answer cannot be taken for another message's.
func (c *courier) prepare(cfg loadgen.Config) {
	c.accepting.Lock()
	defer c.accepting.Unlock()
	n := uint64(len(c.streams))
	c.next = (c.next + n - 1) / n * n
	c.index, c.seq, c.latest, c.deepest, c.idle = 0, c.next/n, nil, 0, 0
	c.backlog.Store(0)
	c.run.Store(newRun(cfg, c.next, c.tally.now()))
}

// Begin starts to look for messages that time out.
func (c *courier) Begin(l *carrier.Ledger) {
	r := c.run.Load()
	r.Ledger = l
	if r.timeout > 0 {
		r.expired.Go(newExpiry(c.streams, r).work)
	}
}

// Accept finds the slot of a message, unless that is taken by an earlier message.
func (c *courier) Accept(m carrier.Message) (queue int) {
	r := c.run.Load()
	s, seq := c.place(r.base + uint64(m.Number))
	c.latest = nil
	if err := s.ended.Load(); err != nil {
		r.fail(*err, m.Due, m.Sent, m.Sent)
		return -1
	}
	slot, busy := c.free(s, seq), s.unsent() > 0
	if slot == nil {
		r.full.Add(1)
		r.drop(errFull, m.Due, m.Sent)
		return -1
	}
	if busy && r.limit > 0 && c.backlog.Load() >= r.limit {
		r.drop(errUnsent, m.Due, m.Sent)
		return -1
	}
	slot.due, slot.sent = int64(m.Due), int64(m.Sent)
	slot.set(seq, queued)
	c.latest, c.latestSeq = slot, seq
	if s.post(seq) {
		return s.index
	}
	c.deepest = max(c.deepest, c.backlog.Add(1))
	return -1
}

// place returns the stream of a message, and its number there. A division is needed
// only where a number was left out.
func (c *courier) place(number uint64) (s *stream, seq uint64) {
	if number != c.next {
		n := uint64(len(c.streams))
		c.index, c.seq = int(number%n), number/n
	}
	s, seq = &c.streams[c.index], c.seq
	c.next = number + 1
	if c.index++; c.index == len(c.streams) {
		c.index, c.seq = 0, c.seq+1
	}
	return s, seq
}

// free returns the slot for a message, and nil if Window messages of the stream are
// under way.
func (c *courier) free(s *stream, seq uint64) *slot {
	newest := s.ring.Load()
	if slot := newest.slot(seq); c.reusable(slot.word.Load()) {
		return slot
	}
	if len(newest.slots) == c.Window {
		return nil
	}
	larger := &ring{begin: seq, slots: make([]slot, min(4*len(newest.slots), c.Window)), before: newest}
	s.ring.Store(larger)
	return larger.slot(seq)
}

// reusable reports whether the fate of a slot's message is known. Where the order
// says which message is answered, a message that failed keeps its slot until its
// answer has come.
func (c *courier) reusable(word uint64) bool {
	return !open(word) && (c.Matching != InOrder || word&stateMask != failed)
}

// Send sends the message, and what was queued behind it meanwhile.
func (c *courier) Send(queue int, m carrier.Message) (now time.Duration) {
	s := &c.streams[queue]
	returned := false
	defer func() {
		if !returned {
			c.end(s, errPanicked) // the worker tells more
		}
	}()
	now = m.Sent
	for own, more := true, true; more; own = false {
		now = c.sendNext(s, own, now)
		more = s.sent()
	}
	returned = true
	return now
}

var errPanicked = errors.New("it panicked in Send")

// sendNext sends the next message of the stream, unless it is not to be sent any
// more. The first message was handed over now: to wake another worker may have
// taken some time since it was accepted.
func (c *courier) sendNext(s *stream, own bool, now time.Duration) time.Duration {
	slot, seq, state := s.toSend()
	if state == cancelled {
		slot.set(seq, empty)
		return now
	}
	r := c.run.Load()
	due := time.Duration(slot.due)
	if !own {
		c.backlog.Add(-1)
		if r.tooOld(slot) {
			c.drop(r, s, slot, seq)
			return now
		}
	}
	sent, ok := c.start(slot, seq, own, now)
	if !ok { // cancelled meanwhile
		slot.set(seq, empty)
		return now
	}
	if err := s.ended.Load(); err != nil {
		c.fail(slot, seq, *err)
		return now
	}
	err := s.Stream.Send(seq*uint64(len(c.streams)) + uint64(s.index))
	now = r.now()
	r.blocked(s.index, due, now-sent)
	if err != nil {
		c.end(s, fmt.Errorf("in Send: %w", err))
	}
	return now
}

// toSend finds the next message, of which there is one. Numbers in between were
// never accepted.
func (s *stream) toSend() (slot *slot, seq, state uint64) {
	for {
		seq = s.send
		s.send++
		slot = s.slot(seq)
		if state, ok := slot.holds(seq); ok && (state == queued || state == cancelled) {
			return slot, seq, state
		}
	}
}

// drop counts a message that waited on its stream as not sent, unless End has.
func (c *courier) drop(r *run, s *stream, slot *slot, seq uint64) {
	if slot.change(seq, queued, claimed) {
		r.unsent(s, slot, r.now())
	}
	slot.set(seq, empty)
}

// start makes a message one that is under way, and returns when it was handed over.
func (c *courier) start(slot *slot, seq uint64, own bool, now time.Duration) (sent time.Duration, ok bool) {
	sent = time.Duration(slot.sent)
	if !own || sent == now {
		return sent, slot.change(seq, queued, underway)
	}
	if !slot.change(seq, queued, claimed) {
		return now, false
	}
	slot.sent = int64(now)
	slot.set(seq, underway)
	return now, true
}

// fail fails a message under way by an error.
func (c *courier) fail(slot *slot, seq uint64, err error) {
	if slot.change(seq, underway, claimed) {
		r := c.run.Load()
		r.fail(err, time.Duration(slot.due), time.Duration(slot.sent), r.now())
		slot.set(seq, failed)
	}
}

// end fails what is under way on a stream, and all that follows. Messages that are
// being sent meanwhile look for the error once they are under way, so that either
// they find it or they are found.
func (c *courier) end(s *stream, err error) {
	if errors.Is(err, io.EOF) {
		err = errEnded
	}
	if !s.ended.CompareAndSwap(nil, &err) {
		return
	}
	for slot := range s.ring.Load().all() {
		if word := slot.word.Load(); word&stateMask == underway {
			c.fail(slot, word>>stateBits, err)
		}
	}
}

var errEnded = errors.New("the peer ended the stream")

// ended counts the streams that have ended, and returns why one has.
func (c *courier) ended() (n int, example error) {
	for i := range c.streams {
		if err := c.streams[i].ended.Load(); err != nil {
			n++
			example = *err
		}
	}
	return n, example
}

// Waiting is asked by a worker that holds up Accept.
func (c *courier) Waiting() bool { return c.latest != nil && open(c.latest.word.Load()) }

// Idle looks no further than the first stream that is not.
func (c *courier) Idle() bool {
	for c.idle < len(c.streams) && c.streams[c.idle].idle() {
		c.idle++
	}
	return c.idle == len(c.streams)
}

// End gives up what is left.
func (c *courier) End() (sending int) {
	r := c.run.Load()
	r.end()
	now := r.now()
	for i := range c.streams {
		s := &c.streams[i]
		c.giveUp(r, s, now)
		if s.unsent() > 0 {
			sending++
		}
		r.close(s)
	}
	return sending
}

// giveUp tells what became of the open messages of a stream. Messages are sent in
// order, so the one that Send was called with and has not returned from is the last
// of those given to Send; there is one if more are unsent than wait.
func (c *courier) giveUp(r *run, s *stream, now time.Duration) {
	waiting, last, sending := uint64(0), r.base/uint64(len(c.streams)), (*slot)(nil)
	for slot := range s.ring.Load().all() {
		seq, state := c.close(slot)
		switch state {
		case queued:
			r.unsent(s, slot, now)
			waiting++
		case cancelled:
			waiting++
		case underway:
			r.unanswered(slot, now)
			slot.set(seq, failed)
		}
		if state >= underway && seq >= last {
			last, sending = seq, slot
		}
	}
	if sending != nil && s.unsent() > waiting {
		r.held(s, sending, now)
	}
}

// close decides what becomes of a slot's message, and returns the state that it was
// in. A message that is claimed is being decided on, so close waits for that.
func (c *courier) close(slot *slot) (seq, state uint64) {
	for {
		word := slot.word.Load()
		seq, state = word>>stateBits, word&stateMask
		switch {
		case state == claimed:
			runtime.Gosched()
		case !open(word), state == cancelled, state == queued && slot.change(seq, queued, cancelled), state == underway && slot.change(seq, underway, claimed):
			return seq, state
		}
	}
}
