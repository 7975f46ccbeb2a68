// Package bed holds a serializer with the messages that its operations take in turn.
package bed

import (
	"fmt"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Operation is what is done to a message, and the key op= of a line.
type Operation string

// The operations.
const (
	Marshal        Operation = "marshal"         // encode into memory that is there
	MarshalFresh   Operation = "marshal_fresh"   // encode into new memory
	Unmarshal      Operation = "unmarshal"       // decode into a new native
	UnmarshalReuse Operation = "unmarshal_reuse" // decode into a native used before
	Touch          Operation = "touch"           // unmarshal and read every field of a lazy format
)

// Operations lists them, in the order of their lines.
var Operations = [...]Operation{Marshal, MarshalFresh, Unmarshal, UnmarshalReuse, Touch}

// Bed is a serializer with natives, which are messages in the serializer's own type, and
// their encodings, all made outside of the timer. It belongs to one goroutine.
type Bed interface {
	// Load makes a native and an encoding of each message. Their number must
	// be a power of two.
	Load(messages []any) error
	// Can reports whether the serializer has an operation.
	Can(op Operation) bool
	// Run does n operations on one message after the other.
	Run(op Operation, n int) error
	// Encoded returns the encodings.
	Encoded() [][]byte

	// Encode and Decode are for tests: they convert, and take any message.
	Encode(op Operation, dst []byte, message any) ([]byte, error)
	Decode(op Operation, src []byte, message any) error
	// DecodeTwice decodes and reads the native before and after something was done.
	// Where reading does work that Unmarshal left, after is of another native, which
	// nobody has read. A nil after is left out.
	DecodeTwice(src []byte, before any, do func(), after any) error
	// DecodeNative decodes and reads what was decoded, without the conversion.
	DecodeNative(src []byte) error
}

// How many messages a benchmark takes in turn: one would teach the branch
// predictor, many do not fit into the caches.
const (
	Warm = 256
	Cold = 4096
)

// Case is a serializer for one kind of message.
type Case struct {
	Kind messages.Kind
	New  func() Bed // an empty one; nil where the format has no such message
}

// Open makes a bed of the first n seeded messages.
func (c Case) Open(n int) (Bed, error) {
	if c.New == nil {
		return nil, fmt.Errorf("no case for %s", c.Kind.Name)
	}
	b := c.New()
	return b, b.Load(c.Kind.Sample(n))
}
