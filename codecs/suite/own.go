package suite

import (
	"reflect"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/difference"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/duplicate"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/sample"
)

// Sample is a list of messages of one's own, which Messages makes. The zero Sample is none.
type Sample struct{ own *sample.Sample }

// Comparison compares a message that has arrived with the one that was sent. Several
// goroutines call its functions.
type Comparison[T any] struct {
	// Equal reports whether a message arrived as it was sent. nil: field by field, where nil
	// and empty lists differ, NaN equals NaN, and a type with a method Equal is asked.
	Equal func(got, want *T) bool
	// Differ tells each field that differs, and what happened to it, as in "items.price: 0
	// became absent". Its texts hold no values and no numbers of elements, so that those of
	// many messages can be joined. nil: by reflection.
	Differ func(got, want *T) []string
}

// Messages is a sample of messages of any type, for Config.Messages. name is their msg=,
// without what means something in the name of a benchmark, as spaces and slashes do. list
// has one message or more, none of them nil: 256, or with -data=cold 4096, are taken in turn,
// the list over and over if it is shorter, and half as many where they would have more than
// 64 MiB, until they have less. Real messages are best, since sizes and branches decide. They
// may not be changed from then on.
func Messages[T any](name string, list []*T, c Comparison[T]) Sample {
	s := &sample.Sample{Name: name, New: func() any { return new(T) }, Equal: difference.None, Differ: difference.List}
	for _, m := range list {
		if m == nil {
			s.Nils++
			continue
		}
		s.List = append(s.List, m)
	}
	if c.Equal != nil {
		s.Equal = func(got, want any) bool { return c.Equal(got.(*T), want.(*T)) }
	}
	if c.Differ != nil {
		s.Differ = func(got, want any) []string { return c.Differ(got.(*T), want.(*T)) }
	}
	return Sample{s}
}

// Conversion converts between a message, which is a *T of the list given to Messages, and a
// serializer's own type N. A nil function converts as Convert does, or copies all memory
// if N is T.
type Conversion[N any] struct {
	// Build sets m, which is zero, from message, whose memory it copies. Several goroutines
	// call both functions.
	Build func(m *N, message any) error
	// Read sets message, which is zero, from m after Unmarshal.
	Read func(message any, m *N) error
}

// Of is the case of a serializer of N for messages of one's own. Without a Reset of the
// serializer, N's own is called, if it has one.
func (c Conversion[N]) Of(new func() Serializer[N]) Case {
	if c.Build == nil {
		c.Build = func(m *N, message any) error { return transfer(m, message) }
	}
	if c.Read == nil {
		c.Read = func(message any, m *N) error { return transfer(message, m) }
	}
	return Of(func() Serializer[N] {
		s := new()
		s.Build, s.Read = c.Build, c.Read
		if s.Reset == nil {
			s.Reset = resetOf[N]()
		}
		return s
	})
}

// resetOf returns N's own method Reset; nil if it has none. Where it is known of a type that
// it has one, OfReset is faster by some ns.
func resetOf[N any]() func(m *N) {
	type resetter interface{ Reset() }
	if _, has := any((*N)(nil)).(resetter); has {
		return func(m *N) { any(m).(resetter).Reset() }
	}
	return nil
}

// transfer sets what dst points to from what src points to.
func transfer(dst, src any) error {
	if reflect.TypeOf(dst) != reflect.TypeOf(src) {
		return Convert(dst, src)
	}
	duplicate.Into(dst, src)
	return nil
}
