// Package hostile gives decoders inputs that were made to do harm, in processes of their
// own, and tells what came of them.
package hostile

import (
	"fmt"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Target is a serializer that gets hostile input.
type Target struct {
	ID    string // without spaces
	Kinds []Kind // in the order of their inputs
}

// Kind is what a target does with one of the messages.
type Kind struct {
	Message messages.Kind
	Encode  func(message any) ([]byte, error)
	// Decoder returns a new decoder, which may keep memory from one input to the next.
	Decoder func() Decoder
}

// Decoder decodes src and reads what it has decoded.
type Decoder func(src []byte) error

// What may come of an input.
const (
	ok        = "ok"
	failed    = "error"
	Panicked  = "panic"
	reached   = "reached" // memory that is not its own
	excessive = "greedy"  // it took more than excess
)

// excess is what a decoder may take for one input, in bytes. No input is larger than
// 10 MB. Several decoders that take more at once end a process.
const excess = 256 << 20

// Outcome is what came of an input, and what a victim reports of it.
type Outcome struct {
	What  string `json:"what"`
	Taken uint64 `json:"taken"` // bytes of memory
	About string `json:"about"`

	fault uintptr // the address that it must not touch, where it touched one
}

// Try decodes an input and recovers from a panic.
func Try(decode Decoder, src []byte) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = Outcome{What: Panicked, About: foreign.Line(fmt.Sprint(p))}
			if at, is := p.(interface{ Addr() uintptr }); is {
				o.fault = at.Addr()
			}
		}
	}()
	if err := decode(src); err != nil {
		return Outcome{What: failed}
	}
	return Outcome{What: ok}
}
