package streams

import (
	"errors"
	"fmt"
)

// Stream is a stream that carries messages and their answers.
type Stream interface {
	// Send sends one message and may block while flow control holds it up. It is
	// called from one goroutine at a time, beside Recv. The number is the message's
	// own among all of the Load. Whoever answers has to bring it back, unless answers
	// come InOrder. An error ends the stream.
	Send(number uint64) error
	// Recv waits for the next answer and returns the number that it brings; InOrder
	// the number is ignored. A user with keys of their own looks the number up by the
	// key. Recv is called from one goroutine. A Wrong fails the message that was
	// answered. Any other error, io.EOF among them, ends the stream.
	Recv() (number uint64, err error)
}

// Wrong is an error of Recv that says that an answer is not as it should be. The
// stream goes on.
type Wrong struct{ Err error }

func (w Wrong) Error() string { return w.Err.Error() }

// Unwrap returns Err.
func (w Wrong) Unwrap() error { return w.Err }

// Matching says which message an answer belongs to.
type Matching int

const (
	// ByNumber is for answers that bring the number of their message.
	ByNumber Matching = iota
	// InOrder is for answers without a number: each answers the oldest message of
	// its stream that has none. Every message needs an answer then, also one that has
	// timed out: a lost answer would shift all that follow.
	InOrder
	// UpTo is for acknowledgements: a number answers its message and all earlier
	// ones of the stream.
	UpTo
)

// String returns by-number, in-order or up-to.
func (m Matching) String() string {
	switch m {
	case ByNumber:
		return "by-number"
	case InOrder:
		return "in-order"
	case UpTo:
		return "up-to"
	}
	return fmt.Sprintf("Matching(%d)", int(m))
}

// Config says how a Load uses its streams. The zero value is a good choice for
// streams whose answers bring numbers.
type Config struct {
	// Matching says which message an answer belongs to.
	Matching Matching
	// Unordered is for servers that answer the messages of a stream in any order.
	// Without it an answer that overtakes another is counted all the same, and
	// warned of.
	Unordered bool
	// Window is about how many messages of a stream can be under way, from 1 to 65536;
	// it is rounded up to a power of two. A message that is due while the one Window
	// earlier on its stream has no answer yet is Dropped. 0 stands for 2^20 over the
	// number of streams, but 64 at least and 65536 at most. Each message of the most
	// that were under way takes 24 bytes.
	Window int
}

const (
	maxWindow         = 1 << 16
	minWindow         = 64
	windowsAltogether = 1 << 20
)

// withDefaults returns c for n streams.
func (c Config) withDefaults(n int) Config {
	if c.Window == 0 {
		c.Window = min(max(windowsAltogether/n, minWindow), maxWindow)
	}
	w := 1
	for w < c.Window {
		w *= 2
	}
	c.Window = w
	return c
}

// validate says in one sentence what is wrong with c or with the streams.
func (c Config) validate(list []Stream) error {
	switch {
	case len(list) == 0:
		return errors.New("streams: no streams: a Load needs at least one")
	case c.Window < 0 || c.Window > maxWindow:
		return fmt.Errorf("streams: Window is %d: it must be from 1 to %d, or 0 for one that suits the number of streams", c.Window, maxWindow)
	case c.Matching < ByNumber || c.Matching > UpTo:
		return fmt.Errorf("streams: Matching is %v: choose ByNumber, InOrder or UpTo", c.Matching)
	case c.Unordered && c.Matching != ByNumber:
		return fmt.Errorf("streams: Unordered answers need numbers: with Matching %v the order says which message an answer belongs to", c.Matching)
	}
	for i, s := range list {
		if s == nil {
			return fmt.Errorf("streams: stream %d of %d is nil", i, len(list))
		}
	}
	return nil
}
