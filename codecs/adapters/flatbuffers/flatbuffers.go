// Package flatbuffers measures Google's FlatBuffers: messages are packed from
// the structs of its object API, and read in place.
package flatbuffers

import (
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/fbs"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "flatbuffers", About: "FlatBuffers, read in place", Code: "flatc, .fbs", Module: "github.com/google/flatbuffers",
		Bench:  suite.Of(codec[fbs.BenchT, fbs.Bench](touchBench)),
		Flat:   suite.Of(codec[fbs.FlatT, fbs.Flat](touchFlat)),
		Small:  suite.Of(codec[fbs.SmallT, fbs.Small](touchSmall)),
		Large:  suite.Of(codec[fbs.LargeT, fbs.Large](touchLarge)),
		Next:   suite.Of(codec[fbs.NextT, fbs.Next](touchNext)),
		Shares: true,
		Losses: []suite.Loss{suite.AbsentTextIsEmpty},
		Hazard: suite.Panics,
	}
}

// native is a message in both forms: the object to pack, and the table to read.
type native[O, T any] struct {
	object *O
	table  T
}

// object is a pointer to a struct of the object API.
type object[O any] interface {
	*O
	Pack(*flatbuffers.Builder) flatbuffers.UOffsetT
}

// table is a pointer to a table in a buffer.
type table[O, T any] interface {
	*T
	Init(src []byte, at flatbuffers.UOffsetT)
	UnPackTo(*O)
}

func codec[O, T any, P object[O], Q table[O, T]](touch func(Q) uint64) func() suite.Serializer[native[O, T]] {
	return func() suite.Serializer[native[O, T]] {
		builder := flatbuffers.NewBuilder(1024) // used again by each message, as its documentation advises
		return suite.Serializer[native[O, T]]{
			// The builder fills its memory from the end, so it cannot use the
			// caller's memory.
			Append: func(dst []byte, m *native[O, T]) ([]byte, error) {
				builder.Reset()
				builder.Finish(P(m.object).Pack(builder))
				return append(dst, builder.FinishedBytes()...), nil
			},
			Unmarshal: func(src []byte, m *native[O, T]) error {
				Q(&m.table).Init(src, flatbuffers.GetUOffsetT(src))
				return nil
			},
			Reset: func(m *native[O, T]) {},
			Touch: func(m *native[O, T]) uint64 { return touch(&m.table) },
			Build: func(m *native[O, T], message any) error {
				m.object = new(O)
				return suite.Convert(m.object, message)
			},
			Read: func(message any, m *native[O, T]) error {
				var object O
				Q(&m.table).UnPackTo(&object)
				return suite.Convert(message, &object)
			},
		}
	}
}

func touchSmall(m *fbs.Small) uint64 {
	return uint64(m.Id()) + uint64(len(m.Name())) + bit(m.Active()) + uint64(m.Score())
}

func touchNext(m *fbs.Next) (sum uint64) {
	var l fbs.Label
	sum = uint64(m.Id()) + uint64(len(m.Name())) + bit(m.Active()) + uint64(m.Score()) + uint64(len(m.Note()))
	for i := range m.MarksLength() {
		sum += m.Marks(i)
	}
	if m.Label(&l) != nil {
		sum += touchLabel(&l)
	}
	return sum
}

func touchLarge(m *fbs.Large) uint64 {
	var item fbs.Item
	sum := uint64(len(m.Id())) + uint64(m.Ts())
	for i := range m.ItemsLength() {
		m.Items(&item, i)
		sum += touchItem(&item)
	}
	return sum
}

func touchItem(m *fbs.Item) uint64 {
	var l fbs.Label
	sum := uint64(m.Id()) + uint64(len(m.Name())) + uint64(m.Price()) + uint64(m.Flags()) + bit(m.Active())
	for i := range m.LabelsLength() {
		m.Labels(&l, i)
		sum += touchLabel(&l)
	}
	for i := range m.ValsLength() {
		sum += m.Vals(i)
	}
	return sum + uint64(len(m.BlobBytes()))
}

func touchLabel(m *fbs.Label) uint64 { return uint64(len(m.Key()) + len(m.Val())) }

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func optionalBool(v *bool) uint64 { return bit(v != nil && *v) }

func optional[T int32 | int64](v *T) uint64 {
	if v == nil {
		return 0
	}
	return uint64(*v)
}
