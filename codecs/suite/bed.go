package suite

import (
	"fmt"
	"slices"
)

// operation is what is done to a message, and the key op= of a line.
type operation string

// The operations.
const (
	marshal        operation = "marshal"         // encode into memory that is there
	marshalFresh   operation = "marshal_fresh"   // encode into new memory
	unmarshal      operation = "unmarshal"       // decode into a new native
	unmarshalReuse operation = "unmarshal_reuse" // decode into a native used before
	touch          operation = "touch"           // unmarshal and read every field of a lazy format
)

var ops = []operation{marshal, marshalFresh, unmarshal, unmarshalReuse, touch}

// bed is a serializer with the natives and encodings that its operations take in
// turn, all made outside of the timer. It belongs to one goroutine.
type bed interface {
	// load makes a native and an encoding of each message. Their number must
	// be a power of two.
	load(messages []any) error
	// can reports whether the serializer has an operation.
	can(op operation) bool
	// run does n operations on one message after the other.
	run(op operation, n int) error
	// encoded returns the encodings.
	encoded() [][]byte

	// encode and decode are for tests: they convert, and take any message.
	encode(op operation, dst []byte, message any) ([]byte, error)
	decode(op operation, src []byte, message any) error
	// decodeTwice decodes and reads the native before and after something was done.
	// Where reading does work that Unmarshal left, after is of another native, which
	// nobody has read. A nil after is left out.
	decodeTwice(src []byte, before any, do func(), after any) error
	// attack is decode without the conversion.
	attack(src []byte) error
}

type nativeBed[N any] struct {
	serializer Serializer[N]
	appends    bool
	natives    []*N
	sources    [][]byte
	buf        []byte
	reused     *N
	sink       uint64
}

func newBed[N any](s Serializer[N]) bed {
	b := &nativeBed[N]{appends: s.Append != nil, reused: new(N)}
	if s.Append == nil {
		s.Append = func(dst []byte, m *N) ([]byte, error) {
			src, err := s.Marshal(m)
			return append(dst, src...), err
		}
	}
	if s.Marshal == nil {
		s.Marshal = func(m *N) ([]byte, error) { return s.Append(nil, m) }
	}
	if s.Reset == nil {
		s.Reset = func(m *N) { *m = *new(N) }
	}
	if s.Build == nil {
		s.Build = func(m *N, message any) error { return Convert(m, message) }
	}
	if s.Read == nil {
		s.Read = func(message any, m *N) error { return Convert(message, m) }
	}
	b.serializer = s
	return b
}

func (b *nativeBed[N]) load(messages []any) error {
	if len(messages)&(len(messages)-1) != 0 {
		return fmt.Errorf("%d messages: not a power of two", len(messages))
	}
	for i, m := range messages {
		native, err := b.build(m)
		if err != nil {
			return err
		}
		src, err := b.source(native, m)
		if err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		b.natives, b.sources = append(b.natives, native), append(b.sources, slices.Clip(src))
	}
	return nil
}

// build makes a native of a message; nil where there is nothing to encode it.
func (b *nativeBed[N]) build(message any) (*N, error) {
	if b.serializer.Input != nil {
		return nil, nil
	}
	native := new(N)
	return native, b.serializer.Build(native, message)
}

// source encodes a message that build made a native of.
func (b *nativeBed[N]) source(native *N, message any) ([]byte, error) {
	if b.serializer.Input != nil {
		return b.serializer.Input(message)
	}
	return b.serializer.Append(nil, native)
}

func (b *nativeBed[N]) can(op operation) bool {
	switch op {
	case marshal:
		return b.appends
	case marshalFresh:
		return b.serializer.Input == nil
	case touch:
		return b.serializer.Touch != nil
	}
	return true
}

func (b *nativeBed[N]) encoded() [][]byte { return b.sources }

// run has one loop for each operation, so that nothing but a call through a
// function value stands between the loop and the library.
func (b *nativeBed[N]) run(op operation, n int) error {
	switch op {
	case marshal:
		return b.runMarshal(n)
	case marshalFresh:
		return b.runMarshalFresh(n)
	case unmarshal:
		return b.runUnmarshal(n)
	case unmarshalReuse:
		return b.runUnmarshalReuse(n)
	case touch:
		return b.runTouch(n)
	}
	return fmt.Errorf("no operation %q", op)
}

func (b *nativeBed[N]) runMarshal(n int) (err error) {
	natives, buf, call := b.natives, b.buf, b.serializer.Append
	for i := range n {
		if buf, err = call(buf[:0], natives[i&(len(natives)-1)]); err != nil {
			return err
		}
	}
	b.buf = buf
	return nil
}

func (b *nativeBed[N]) runMarshalFresh(n int) error {
	natives, call := b.natives, b.serializer.Marshal
	for i := range n {
		src, err := call(natives[i&(len(natives)-1)])
		if err != nil {
			return err
		}
		b.sink += uint64(len(src))
	}
	return nil
}

func (b *nativeBed[N]) runUnmarshal(n int) error {
	sources, call := b.sources, b.serializer.Unmarshal
	for i := range n {
		if err := call(sources[i&(len(sources)-1)], new(N)); err != nil {
			return err
		}
	}
	return nil
}

func (b *nativeBed[N]) runUnmarshalReuse(n int) error {
	sources, call, reset, m := b.sources, b.serializer.Unmarshal, b.serializer.Reset, b.reused
	for i := range n {
		reset(m)
		if err := call(sources[i&(len(sources)-1)], m); err != nil {
			return err
		}
	}
	return nil
}

func (b *nativeBed[N]) runTouch(n int) error {
	sources, call, read := b.sources, b.serializer.Unmarshal, b.serializer.Touch
	for i := range n {
		m := new(N)
		if err := call(sources[i&(len(sources)-1)], m); err != nil {
			return err
		}
		b.sink += read(m)
	}
	return nil
}

func (b *nativeBed[N]) encode(op operation, dst []byte, message any) ([]byte, error) {
	native, err := b.build(message)
	if err != nil {
		return nil, err
	}
	if native == nil {
		src, err := b.serializer.Input(message)
		return append(dst, src...), err
	}
	if op == marshal {
		return b.serializer.Append(dst, native)
	}
	src, err := b.serializer.Marshal(native)
	return append(dst, src...), err
}

func (b *nativeBed[N]) decode(op operation, src []byte, message any) error {
	native := b.reused
	if op == unmarshalReuse {
		b.serializer.Reset(native)
	} else {
		native = new(N)
		b.reused = native
	}
	if err := b.serializer.Unmarshal(src, native); err != nil {
		return err
	}
	return b.serializer.Read(message, native)
}

func (b *nativeBed[N]) decodeTwice(src []byte, before any, do func(), after any) error {
	native := new(N)
	if err := b.serializer.Unmarshal(src, native); err != nil {
		return err
	}
	unread := native
	if b.serializer.Touch != nil {
		unread = new(N)
		if err := b.serializer.Unmarshal(src, unread); err != nil {
			return err
		}
	}
	if err := b.serializer.Read(before, native); err != nil {
		return err
	}
	do()
	if after == nil {
		return nil
	}
	return b.serializer.Read(after, unread)
}

func (b *nativeBed[N]) attack(src []byte) error {
	m := new(N)
	err := b.serializer.Unmarshal(src, m)
	if err == nil && b.serializer.Touch != nil {
		b.sink += b.serializer.Touch(m)
	}
	return err
}
