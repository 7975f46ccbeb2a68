package bed

import (
	"fmt"
	"slices"
)

// Functions are a serializer's. All but Input and Touch must be there; what each does is
// told where serializers are described.
type Functions[N any] struct {
	Append    func(dst []byte, m *N) ([]byte, error)
	Appends   bool // whether Append does not copy what Marshal returns
	Marshal   func(m *N) ([]byte, error)
	Unmarshal func(src []byte, m *N) error
	Reset     func(m *N)
	Touch     func(m *N) uint64
	Build     func(m *N, message any) error
	Read      func(message any, m *N) error
	Input     func(message any) ([]byte, error)
}

type natives[N any] struct {
	functions Functions[N]
	list      []*N
	encodings [][]byte
	buf       []byte
	reused    *N
	sink      uint64
}

// New returns an empty bed.
func New[N any](f Functions[N]) Bed { return &natives[N]{functions: f, reused: new(N)} }

func (b *natives[N]) Load(messages []any) error {
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
		b.list, b.encodings = append(b.list, native), append(b.encodings, slices.Clip(src))
	}
	return nil
}

// build makes a native of a message; nil if the serializer only decodes.
func (b *natives[N]) build(message any) (*N, error) {
	if b.functions.Input != nil {
		return nil, nil
	}
	native := new(N)
	return native, b.functions.Build(native, message)
}

// source encodes a message that build made a native of.
func (b *natives[N]) source(native *N, message any) ([]byte, error) {
	if b.functions.Input != nil {
		return b.functions.Input(message)
	}
	return b.functions.Append(nil, native)
}

func (b *natives[N]) Can(op Operation) bool {
	switch op {
	case Marshal:
		return b.functions.Appends
	case MarshalFresh:
		return b.functions.Input == nil
	case Touch:
		return b.functions.Touch != nil
	}
	return true
}

func (b *natives[N]) Encoded() [][]byte { return b.encodings }

// run has one loop for each operation, so that nothing but a call through a
// function value stands between the loop and the library.
func (b *natives[N]) Run(op Operation, n int) error {
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

func (b *natives[N]) runMarshal(n int) (err error) {
	list, buf, call := b.list, b.buf, b.functions.Append
	for i := range n {
		if buf, err = call(buf[:0], list[i&(len(list)-1)]); err != nil {
			return err
		}
	}
	b.buf = buf
	return nil
}

func (b *natives[N]) runMarshalFresh(n int) error {
	list, call := b.list, b.functions.Marshal
	for i := range n {
		src, err := call(list[i&(len(list)-1)])
		if err != nil {
			return err
		}
		b.sink += uint64(len(src))
	}
	return nil
}

func (b *natives[N]) runUnmarshal(n int) error {
	encodings, call := b.encodings, b.functions.Unmarshal
	for i := range n {
		if err := call(encodings[i&(len(encodings)-1)], new(N)); err != nil {
			return err
		}
	}
	return nil
}

func (b *natives[N]) runUnmarshalReuse(n int) error {
	encodings, call, reset, m := b.encodings, b.functions.Unmarshal, b.functions.Reset, b.reused
	for i := range n {
		reset(m)
		if err := call(encodings[i&(len(encodings)-1)], m); err != nil {
			return err
		}
	}
	return nil
}

func (b *natives[N]) runTouch(n int) error {
	encodings, call, read := b.encodings, b.functions.Unmarshal, b.functions.Touch
	for i := range n {
		m := new(N)
		if err := call(encodings[i&(len(encodings)-1)], m); err != nil {
			return err
		}
		b.sink += read(m)
	}
	return nil
}

func (b *natives[N]) Encode(op Operation, dst []byte, message any) ([]byte, error) {
	native, err := b.build(message)
	if err != nil {
		return nil, err
	}
	if native == nil {
		src, err := b.functions.Input(message)
		return append(dst, src...), err
	}
	if op == Marshal {
		return b.functions.Append(dst, native)
	}
	src, err := b.functions.Marshal(native)
	return append(dst, src...), err
}

func (b *natives[N]) Decode(op Operation, src []byte, message any) error {
	native := b.reused
	if op == UnmarshalReuse {
		b.functions.Reset(native)
	} else {
		native = new(N)
		b.reused = native
	}
	if err := b.functions.Unmarshal(src, native); err != nil {
		return err
	}
	return b.functions.Read(message, native)
}

func (b *natives[N]) DecodeTwice(src []byte, before any, do func(), after any) error {
	native := new(N)
	if err := b.functions.Unmarshal(src, native); err != nil {
		return err
	}
	unread := native
	if b.functions.Touch != nil {
		unread = new(N)
		if err := b.functions.Unmarshal(src, unread); err != nil {
			return err
		}
	}
	if err := b.functions.Read(before, native); err != nil {
		return err
	}
	do()
	if after == nil {
		return nil
	}
	return b.functions.Read(after, unread)
}

func (b *natives[N]) DecodeNative(src []byte) error {
	m := new(N)
	err := b.functions.Unmarshal(src, m)
	if err == nil && b.functions.Touch != nil {
		b.sink += b.functions.Touch(m)
	}
	return err
}
