package suite

import "github.com/rpcbench/rpcbench/codecs/suite/internal/bed"

// Serializer encodes and decodes one type N, the library's own: a generated
// struct, or one of package messages. Its functions are called in the timed
// loop as they are.
type Serializer[N any] struct {
	// Append encodes m behind dst, into memory that the caller has, in the way
	// that the library offers for it. nil: Marshal, and no line op=marshal.
	Append func(dst []byte, m *N) ([]byte, error)
	// Marshal encodes m into memory that is the caller's from then on. nil:
	// Append to a nil slice.
	Marshal func(m *N) ([]byte, error)
	// Unmarshal decodes src into m, which is zero or was Reset.
	Unmarshal func(src []byte, m *N) error
	// Reset readies m for another Unmarshal, keeping what memory the library
	// can use again. nil: m is set to zero.
	Reset func(m *N)
	// Touch reads every field of m after Unmarshal. Only serializers whose Unmarshal
	// leaves work to those reads have one: it makes the line op=touch.
	Touch func(m *N) uint64
	// Build sets m from message, a pointer into package messages. nil: field by
	// field, by their names.
	Build func(m *N, message any) error
	// Read sets message from m after Unmarshal. nil: field by field.
	Read func(message any, m *N) error
	// Input encodes message by other means. Only a serializer that cannot encode has
	// one, instead of Append, Marshal and Build: it has no lines op=marshal and
	// op=marshal_fresh.
	Input func(message any) ([]byte, error)
}

// functions returns the serializer's functions, with a default for each that is nil.
func (s Serializer[N]) functions() bed.Functions[N] {
	f := bed.Functions[N]{
		Append: s.Append, Appends: s.Append != nil, Marshal: s.Marshal,
		Unmarshal: s.Unmarshal, Reset: s.Reset, Touch: s.Touch, Build: s.Build, Read: s.Read, Input: s.Input,
	}
	if f.Append == nil {
		f.Append = func(dst []byte, m *N) ([]byte, error) {
			src, err := s.Marshal(m)
			return append(dst, src...), err
		}
	}
	if f.Marshal == nil {
		f.Marshal = func(m *N) ([]byte, error) { return s.Append(nil, m) }
	}
	if f.Reset == nil {
		f.Reset = func(m *N) { *m = *new(N) }
	}
	if f.Build == nil {
		f.Build = func(m *N, message any) error { return Convert(m, message) }
	}
	if f.Read == nil {
		f.Read = func(message any, m *N) error { return Convert(message, m) }
	}
	return f
}

// Case is a serializer for one of the messages, its native type hidden.
type Case struct{ make func() bed.Bed }

// Of makes a case of a serializer. Each bed, and so each goroutine, gets one of
// its own from new, which may keep buffers and streams.
func Of[N any](new func() Serializer[N]) Case {
	return Case{func() bed.Bed { return bed.New(new().functions()) }}
}

// OfReset is Of for a type that has a method Reset, which is called unless the serializer
// resets in another way.
func OfReset[N any, M interface {
	*N
	Reset()
}](new func() Serializer[N]) Case {
	return Of(func() Serializer[N] {
		s := new()
		if s.Reset == nil {
			s.Reset = func(m *N) { M(m).Reset() }
		}
		return s
	})
}
