package streams

import (
	"iter"
	"sync/atomic"
)

// slot is the place of one message of a stream. Its word holds the message's number
// on the stream and its state. Whoever changes the state does so by
// compare-and-swap, so exactly one goroutine decides what became of a message. The
// times are written before the message is queued, or by the one that has claimed it.
type slot struct {
	word      atomic.Uint64
	due, sent int64 // ns since the run's clock began
}

// States of a slot.
const (
	empty     = iota // never used, or its message was not sent
	queued           // accepted, and not yet given to Send
	cancelled        // was queued, and is not to be sent; whoever sends the queue empties it
	underway         // given to Send, without an answer
	claimed          // being answered or failed, for a moment
	answered
	failed    // its answer would be late
	tooLate   // was answered after it had failed
	stateBits = 3
	stateMask = 1<<stateBits - 1
)

// is returns the word of a message in a state.
func is(seq, state uint64) uint64 { return seq<<stateBits | state }

// holds returns the state of the message with the number, if it is the slot's.
func (s *slot) holds(seq uint64) (state uint64, ok bool) {
	word := s.word.Load()
	return word & stateMask, word>>stateBits == seq
}

// change reports whether the message was in the state from, and is now in to.
func (s *slot) change(seq, from, to uint64) bool {
	return s.word.CompareAndSwap(is(seq, from), is(seq, to))
}

// set ends a claim.
func (s *slot) set(seq, state uint64) { s.word.Store(is(seq, state)) }

// open reports whether a word is of a message whose fate is not known.
func open(word uint64) bool {
	state := word & stateMask
	return state >= queued && state <= claimed
}

// firstRing is how many slots a stream begins with. Most streams never need more, and
// fewer slots stay in the caches of the CPU.
const firstRing = 16

// ring has the slots of messages from a number on. A ring whose slots are all taken
// is followed by a larger one; its messages stay where they are.
type ring struct {
	begin  uint64 // the first number
	slots  []slot // a power of two
	before *ring  // of smaller numbers; nil if there are none
}

// of returns the ring of a message.
func (r *ring) of(seq uint64) *ring {
	for seq < r.begin {
		r = r.before
	}
	return r
}

func (r *ring) slot(seq uint64) *slot { return &r.slots[seq&uint64(len(r.slots)-1)] }

// all yields the slots of a ring and of those before it. Messages in them may have any
// numbers: where one was dropped, the slot of an earlier one stays.
func (r *ring) all() iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for ; r != nil; r = r.before {
			for i := range r.slots {
				if !yield(&r.slots[i]) {
					return
				}
			}
		}
	}
}
