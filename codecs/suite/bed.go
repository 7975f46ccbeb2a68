package suite

import (
	"fmt"
	"slices"
)

// Op is what is done to a message, and the key op= of a line.
type Op string

// The operations.
const (
	Marshal        Op = "marshal"         // encode into memory that is there
	MarshalFresh   Op = "marshal_fresh"   // encode into new memory
	Unmarshal      Op = "unmarshal"       // decode into a new native
	UnmarshalReuse Op = "unmarshal_reuse" // decode into a native used before
	Touch          Op = "touch"           // unmarshal and read every field of a lazy format
)

var ops = []Op{Marshal, MarshalFresh, Unmarshal, UnmarshalReuse, Touch}

// bed is a codec with the natives and encodings that its operations take in
// turn, all made outside of the timer. It belongs to one goroutine.
type bed interface {
	// load makes a native and an encoding of each message. Their number must
	// be a power of two.
	load(messages []any) error
	// can reports whether the codec has an operation.
	can(op Op) bool
	// run does n operations on one message after the other.
	run(op Op, n int) error
	// encoded returns the encodings.
	encoded() [][]byte

	// encode and decode are for tests: they convert, and take any message.
	encode(op Op, dst []byte, message any) ([]byte, error)
	decode(op Op, src []byte, message any) error
	// decodeTwice decodes once and reads the native twice, before and after
	// something was done.
	decodeTwice(src []byte, before any, do func(), after any) error
	// attack is decode without the conversion.
	attack(src []byte) error
}

type nativeBed[N any] struct {
	codec   Codec[N]
	appends bool
	natives []*N
	sources [][]byte
	buf     []byte
	reused  *N
	sink    uint64
}

func newBed[N any](c Codec[N]) bed {
	b := &nativeBed[N]{appends: c.Append != nil, reused: new(N)}
	if c.Append == nil {
		c.Append = func(dst []byte, m *N) ([]byte, error) {
			src, err := c.Marshal(m)
			return append(dst, src...), err
		}
	}
	if c.Marshal == nil {
		c.Marshal = func(m *N) ([]byte, error) { return c.Append(nil, m) }
	}
	if c.Reset == nil {
		c.Reset = func(m *N) { *m = *new(N) }
	}
	if c.Build == nil {
		c.Build = func(m *N, message any) error { return Convert(m, message) }
	}
	if c.Read == nil {
		c.Read = func(message any, m *N) error { return Convert(message, m) }
	}
	b.codec = c
	return b
}

func (b *nativeBed[N]) load(messages []any) error {
	if len(messages)&(len(messages)-1) != 0 {
		return fmt.Errorf("%d messages: not a power of two", len(messages))
	}
	for i, m := range messages {
		native := new(N)
		if err := b.codec.Build(native, m); err != nil {
			return err
		}
		src, err := b.codec.Append(nil, native)
		if err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		b.natives, b.sources = append(b.natives, native), append(b.sources, slices.Clip(src))
	}
	return nil
}

func (b *nativeBed[N]) can(op Op) bool {
	switch op {
	case Marshal:
		return b.appends
	case Touch:
		return b.codec.Touch != nil
	}
	return true
}

func (b *nativeBed[N]) encoded() [][]byte { return b.sources }

// run has one loop for each operation, so that nothing but a call through a
// function value stands between the loop and the library.
func (b *nativeBed[N]) run(op Op, n int) error {
	switch op {
	case Marshal:
		return b.runMarshal(n)
	case MarshalFresh:
		return b.runMarshalFresh(n)
	case Unmarshal:
		return b.runUnmarshal(n)
	case UnmarshalReuse:
		return b.runUnmarshalReuse(n)
	case Touch:
		return b.runTouch(n)
	}
	return fmt.Errorf("no operation %q", op)
}

func (b *nativeBed[N]) runMarshal(n int) (err error) {
	natives, buf, call := b.natives, b.buf, b.codec.Append
	for i := range n {
		if buf, err = call(buf[:0], natives[i&(len(natives)-1)]); err != nil {
			return err
		}
	}
	b.buf = buf
	return nil
}

func (b *nativeBed[N]) runMarshalFresh(n int) error {
	natives, call := b.natives, b.codec.Marshal
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
	sources, call := b.sources, b.codec.Unmarshal
	for i := range n {
		if err := call(sources[i&(len(sources)-1)], new(N)); err != nil {
			return err
		}
	}
	return nil
}

func (b *nativeBed[N]) runUnmarshalReuse(n int) error {
	sources, call, reset, m := b.sources, b.codec.Unmarshal, b.codec.Reset, b.reused
	for i := range n {
		reset(m)
		if err := call(sources[i&(len(sources)-1)], m); err != nil {
			return err
		}
	}
	return nil
}

func (b *nativeBed[N]) runTouch(n int) error {
	sources, call, touch := b.sources, b.codec.Unmarshal, b.codec.Touch
	for i := range n {
		m := new(N)
		if err := call(sources[i&(len(sources)-1)], m); err != nil {
			return err
		}
		b.sink += touch(m)
	}
	return nil
}

func (b *nativeBed[N]) encode(op Op, dst []byte, message any) ([]byte, error) {
	native := new(N)
	if err := b.codec.Build(native, message); err != nil {
		return nil, err
	}
	if op == Marshal {
		return b.codec.Append(dst, native)
	}
	src, err := b.codec.Marshal(native)
	return append(dst, src...), err
}

func (b *nativeBed[N]) decode(op Op, src []byte, message any) error {
	native := b.reused
	if op == UnmarshalReuse {
		b.codec.Reset(native)
	} else {
		native = new(N)
		b.reused = native
	}
	if err := b.codec.Unmarshal(src, native); err != nil {
		return err
	}
	return b.codec.Read(message, native)
}

func (b *nativeBed[N]) decodeTwice(src []byte, before any, do func(), after any) error {
	native := new(N)
	if err := b.codec.Unmarshal(src, native); err != nil {
		return err
	}
	if err := b.codec.Read(before, native); err != nil {
		return err
	}
	do()
	if b.codec.Touch != nil {
		return nil // read in place: after is left as it is, which differs
	}
	return b.codec.Read(after, native)
}

func (b *nativeBed[N]) attack(src []byte) error {
	m := new(N)
	err := b.codec.Unmarshal(src, m)
	if err == nil && b.codec.Touch != nil {
		b.sink += b.codec.Touch(m)
	}
	return err
}
