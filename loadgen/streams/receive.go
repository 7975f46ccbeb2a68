package streams

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// receive takes the answers of a stream until it ends.
func (c *courier) receive(s *stream) {
	defer func() {
		if s.ended.Load() == nil { // Recv has ended the goroutine
			c.end(s, fmt.Errorf("it panicked in Recv: %v", recover()))
		}
	}()
	for {
		number, err := s.Recv()
		if s.wrong = nil; err != nil && errors.As(err, new(Wrong)) {
			s.wrong, err = err, nil
		}
		if err != nil {
			c.end(s, fmt.Errorf("in Recv: %w", err))
			return
		}
		switch c.Matching {
		case ByNumber:
			c.answerNumber(s, number)
		case InOrder:
			c.answerOldest(s)
		default:
			c.answerUpTo(s, number)
		}
	}
}

// answerNumber ends the message that has the number.
func (c *courier) answerNumber(s *stream, number uint64) {
	seq, ok := c.numberOf(s, number)
	if !ok {
		c.tally.unknown.Add(1)
		return
	}
	if slot := s.slot(seq); c.settle(s, slot, seq) || c.mismatch(slot, seq) {
		c.answered(s, seq)
	}
}

// numberOf returns the number on the stream of a message of the Load. The one
// expected next needs no division.
func (c *courier) numberOf(s *stream, number uint64) (seq uint64, ok bool) {
	if number == s.number {
		return s.expect, true
	}
	n := uint64(len(c.streams))
	return number / n, number%n == uint64(s.index)
}

// answered notes the order in which messages are answered.
func (c *courier) answered(s *stream, seq uint64) {
	if seq < s.expect {
		c.tally.outOfOrder.Add(1)
		return
	}
	n := uint64(len(c.streams))
	s.expect = seq + 1
	s.number = s.expect*n + uint64(s.index)
}

// settle ends a message under way; it reports false if the message is not.
func (c *courier) settle(s *stream, slot *slot, seq uint64) bool {
	for !slot.change(seq, underway, claimed) {
		if state, ok := slot.holds(seq); !ok || state != claimed && state != underway {
			return false
		}
		runtime.Gosched() // it is looked at by expire, or failing
	}
	r := c.run.Load() // of the message: no run ends while one of its messages is claimed
	at := r.now()
	if r.timeout > 0 && at-time.Duration(slot.sent) > r.timeout {
		c.tally.late.Add(1)
		r.timeOut(slot)
		slot.set(seq, tooLate)
		return true
	}
	r.answered(s, slot, at)
	slot.set(seq, answered)
	return true
}

// mismatch counts an answer to a message that is not under way. It reports whether
// it is the first answer to its message.
func (c *courier) mismatch(slot *slot, seq uint64) bool {
	word := slot.word.Load()
	switch state := word & stateMask; {
	case word>>stateBits > seq: // its slot is another's
		c.tally.late.Add(1)
	case word>>stateBits < seq || state < claimed:
		c.tally.unknown.Add(1)
	case state == failed && slot.change(seq, failed, tooLate):
		c.tally.late.Add(1)
		return true
	default:
		c.tally.duplicates.Add(1)
	}
	return false
}

// answerOldest ends the oldest message that was sent and has had no answer.
func (c *courier) answerOldest(s *stream) {
	for tail := s.tail(); s.oldest < tail; {
		slot := s.slot(s.oldest)
		state, ok := slot.holds(s.oldest)
		if ok && (state == queued || state == cancelled) {
			break
		}
		done := ok && (c.settle(s, slot, s.oldest) || c.isLate(slot, s.oldest))
		s.oldest++
		if done {
			return
		}
	}
	c.tally.unknown.Add(1)
}

// answerUpTo ends all messages up to the one that has the number.
func (c *courier) answerUpTo(s *stream, number uint64) {
	seq, ok := c.numberOf(s, number)
	switch {
	case !ok || seq >= s.tail():
		c.tally.unknown.Add(1)
		return
	case seq < s.oldest:
		c.tally.duplicates.Add(1)
		return
	}
	for ; s.oldest <= seq; s.oldest++ {
		slot := s.slot(s.oldest)
		if state, ok := slot.holds(s.oldest); ok && (state == queued || state == cancelled) {
			c.tally.unknown.Add(1)
			return
		} else if ok && !c.settle(s, slot, s.oldest) {
			c.isLate(slot, s.oldest)
		}
	}
}

// isLate reports whether a message was given up, and counts its answer as late.
func (c *courier) isLate(slot *slot, seq uint64) bool {
	late := slot.change(seq, failed, tooLate)
	if late {
		c.tally.late.Add(1)
	}
	return late
}
