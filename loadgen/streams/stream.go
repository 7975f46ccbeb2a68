package streams

import (
	"sync/atomic"

	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// stream is a stream with its messages, which are numbered by seq.
type stream struct {
	Stream
	index int
	ring  atomic.Pointer[ring]
	ended atomic.Pointer[error] // why, once it has

	_ [64]byte // whoever sends and whoever receives write to cache lines of their own
	// mail has the number after that of the message accepted last, and how many of
	// those accepted are not sent. Accept alone makes it larger. Who finds it without
	// messages to be sent and adds one has to send until there are none again.
	mail atomic.Uint64
	send uint64 // the number from which on to look for the next message to send

	_      [64]byte
	oldest uint64 // the number from which on to look for messages without an answer
	expect uint64 // one more than the highest number answered
	number uint64 // the message of Load that expect stands for
	wrong  error  // of the answer received last; nil if it is right
	carrier.Recorder

	_ [64]byte
}

const (
	unsentBits = 24
	unsentMask = 1<<unsentBits - 1
)

// tail is one more than the highest number accepted.
func (s *stream) tail() uint64 { return s.mail.Load() >> unsentBits }

// unsent is how many messages were accepted and not sent.
func (s *stream) unsent() uint64 { return s.mail.Load() & unsentMask }

// slot returns the slot of a message.
func (s *stream) slot(seq uint64) *slot { return s.ring.Load().of(seq).slot(seq) }

// post adds a message to those to be sent, and reports whether the caller has to
// send them.
func (s *stream) post(seq uint64) (first bool) {
	tail := s.tail()
	return s.mail.Add((seq+1-tail)<<unsentBits+1)&unsentMask == 1
}

// sent takes a message from those to be sent, and reports whether there are more.
func (s *stream) sent() (more bool) { return s.mail.Add(^uint64(0))&unsentMask > 0 }

// idle reports whether it is known what became of every message.
func (s *stream) idle() bool {
	for slot := range s.ring.Load().all() {
		if open(slot.word.Load()) {
			return false
		}
	}
	return true
}
