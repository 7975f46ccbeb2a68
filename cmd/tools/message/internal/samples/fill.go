package samples

import (
	"fmt"
	"math"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Filler makes messages by a seed. Integers have a uniform number of bits, which is how many
// bytes a varint takes; the other half of signed ones are negative. Floating-point numbers
// are normal, strings of letters and bytes have a uniform length, lists and maps 0 to 4
// elements. A field with presence is there in 3 of 4 messages, of a oneof one case, enums have
// any of their values. Messages within messages end at a depth of 4, or when there are 1,000.
// Timestamps are of the years 2000 to 2050, durations up to a day.
type Filler struct {
	Message protoreflect.MessageDescriptor
	Seed    uint64
	// Least and Most are the lengths of strings and bytes, in bytes.
	Least, Most int
}

// deepest is how deep messages are within messages. Required ones are deeper where they have
// to be; no message is complete that requires itself.
const (
	deepest = 4
	widest  = 1000 // messages within one
	endless = 100
)

// Fill makes n messages. The same Filler makes the same ones. More than 256 MiB are an error.
func (f Filler) Fill(n int) (list List, err error) {
	r := random{rand.New(rand.NewPCG(f.Seed, 0)), f, 0, most, 0}
	for range n {
		r.within, r.room = 0, r.left+1
		m := dynamicpb.NewMessage(f.Message)
		r.message(m, 0)
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return nil, err
		}
		if r.left -= len(data); r.left < 0 || r.room <= 0 {
			return nil, fmt.Errorf("the %d messages %s that are made have over %d MiB: take fewer with -n, or shorter ones with -fill", n, f.Message.FullName(), most>>20)
		}
		list = append(list, data)
	}
	return list, nil
}

type random struct {
	*rand.Rand
	of     Filler
	within int // messages within the one that is made
	left   int // bytes that may be made
	room   int // bytes that strings of the message may have: one that needs more is too long
}

// message fills a message at a depth.
func (r *random) message(m protoreflect.Message, depth int) {
	r.within++
	switch m.Descriptor().FullName() {
	case "google.protobuf.Timestamp":
		r.time(m, 946684800, 50*365*86400)
		return
	case "google.protobuf.Duration":
		r.time(m, 0, 86400)
		return
	case "google.protobuf.Any":
		return // whatever is in it has to be a message
	}
	fields, oneofs := m.Descriptor().Fields(), m.Descriptor().Oneofs()
	for i := range fields.Len() {
		if f := fields.Get(i); f.ContainingOneof() == nil || f.ContainingOneof().IsSynthetic() {
			r.field(m, f, depth)
		}
	}
	for i := range oneofs.Len() {
		if o := oneofs.Get(i); !o.IsSynthetic() {
			r.oneof(m, o, depth)
		}
	}
}

// full reports whether a message at a depth gets no others.
func (r *random) full(depth int) bool { return depth >= deepest || r.within >= widest }

// time fills seconds of a range, and nanos.
func (r *random) time(m protoreflect.Message, from, seconds int64) {
	fields := m.Descriptor().Fields()
	m.Set(fields.ByNumber(1), protoreflect.ValueOfInt64(from+r.Int64N(seconds)))
	m.Set(fields.ByNumber(2), protoreflect.ValueOfInt32(r.Int32N(1e9)))
}

// oneof sets one of the cases, of those that do not lead deeper where it is deep enough.
func (r *random) oneof(m protoreflect.Message, o protoreflect.OneofDescriptor, depth int) {
	var cases []protoreflect.FieldDescriptor
	for i := range o.Fields().Len() {
		if f := o.Fields().Get(i); f.Message() == nil || !r.full(depth) {
			cases = append(cases, f)
		}
	}
	if len(cases) > 0 {
		f := cases[r.IntN(len(cases))]
		m.Set(f, r.value(m.NewField(f), f, depth))
	}
}

func (r *random) field(m protoreflect.Message, f protoreflect.FieldDescriptor, depth int) {
	deeper := f.Message() != nil && !f.IsMap() || f.IsMap() && f.MapValue().Message() != nil
	switch {
	case deeper && r.full(depth) && (f.Cardinality() != protoreflect.Required || depth >= endless):
	case f.IsMap():
		r.entries(m.Mutable(f).Map(), f, depth)
	case f.IsList():
		list := m.Mutable(f).List()
		for range r.IntN(5) {
			list.Append(r.value(list.NewElement(), f, depth))
		}
	case f.HasPresence() && f.Cardinality() != protoreflect.Required && r.IntN(4) == 0:
	default:
		m.Set(f, r.value(m.NewField(f), f, depth))
	}
}

func (r *random) entries(entries protoreflect.Map, f protoreflect.FieldDescriptor, depth int) {
	for range r.IntN(5) {
		key := r.value(protoreflect.Value{}, f.MapKey(), depth).MapKey()
		value := protoreflect.Value{}
		if f.MapValue().Message() != nil {
			value = entries.NewValue()
		}
		entries.Set(key, r.value(value, f.MapValue(), depth))
	}
}

// value is one of a field's kind; empty is a new one if that is a message.
func (r *random) value(empty protoreflect.Value, f protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		r.message(empty.Message(), depth+1)
		return empty
	case protoreflect.EnumKind:
		values := f.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(r.IntN(values.Len())).Number())
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(r.letters()))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(r.letters())
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(r.IntN(2) == 0)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(r.NormFloat64()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.NormFloat64())
	}
	return r.integer(f.Kind())
}

func (r *random) integer(kind protoreflect.Kind) protoreflect.Value {
	switch kind {
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(r.bits(32)))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(r.bits(64))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(r.signed(63))
	}
	return protoreflect.ValueOfInt32(int32(r.signed(31)))
}

// bits is an integer of at most n bits, of which the number of bits is uniform.
func (r *random) bits(n int) uint64 { return r.Uint64() >> (64 - n) >> r.IntN(n) }

// signed is such an integer, of either sign.
func (r *random) signed(n int) int64 {
	v := int64(r.bits(n) & math.MaxInt64)
	if r.IntN(2) == 0 {
		return -v
	}
	return v
}

func (r *random) letters() []byte {
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	text := make([]byte, min(r.of.Least+r.IntN(r.of.Most-r.of.Least+1), max(r.room, 0)))
	r.room -= len(text)
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	return text
}
