// Package messages holds the messages that package suite gives to serializers, for authors of
// entries: as plain Go structs, for serializers that find their way by reflection, and the
// seeds that fill them. Serializers with types of their own have them converted from
// these by the names of the fields.
package messages

import (
	"fmt"
	"math/rand/v2"
	"reflect"
)

// Kind is a kind of message.
type Kind struct {
	Name string          // msg=, as in "bench"
	New  func() any      // a pointer to an empty one
	nth  func(n int) any // a pointer to the n-th one
}

// seeded is a kind whose messages are filled by their numbers.
func seeded(name string, new func() any, fill func(r *rand.Rand, m any)) Kind {
	return Kind{name, new, func(n int) any {
		m := new()
		fill(rand.New(rand.NewPCG(uint64(n), 581)), m)
		return m
	}}
}

// Listed is a kind whose messages are those of a list, which may not be empty, over and
// over: two of them may be the same pointer.
func Listed(name string, new func() any, list []any) Kind {
	return Kind{name, new, func(n int) any { return list[n%len(list)] }}
}

// The kinds that are measured.
var (
	KindBench = seeded("bench", func() any { return new(Bench) }, fillFields)
	KindFlat  = seeded("flat", func() any { return new(Flat) }, fillFields)
	KindSmall = seeded("small", func() any { return new(Small) }, fillSmall)
	KindLarge = seeded("large", func() any { return new(Large) }, fillLarge)
)

// The kinds that are not measured, whose properties are told.
var (
	KindNext   = seeded("next", func() any { return new(Next) }, fillNext)
	KindMapped = seeded("mapped", func() any { return new(Mapped) }, fillMapped)
)

// Measured lists the kinds of the benchmarks, in the order of their lines.
var Measured = []Kind{KindBench, KindFlat, KindSmall, KindLarge}

// Seeded returns a pointer to the n-th message of a kind. Unless it is of a list, it differs
// from all others. It is the same in every run and for every serializer.
func (k Kind) Seeded(n int) any { return k.nth(n) }

// Sample returns the first n messages.
func (k Kind) Sample(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = k.Seeded(i)
	}
	return list
}

// fillFields fills a Bench or a Flat so that every Bench has the 581 bytes it
// is known for in protobuf: 18 runes of three bytes a string, integers whose
// varint has three bytes, every optional field present, no list.
func fillFields(r *rand.Rand, m any) {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString(runes(r, 18))
		case reflect.Int32, reflect.Int64:
			f.SetInt(1<<14 + r.Int64N(1<<21-1<<14))
		case reflect.Bool:
			f.SetBool(r.IntN(2) == 0)
		}
	}
}

func fillSmall(r *rand.Rand, m any) { *m.(*Small) = small(r) }

func small(r *rand.Rand) Small {
	return Small{ID: 1<<27 + r.Int64N(1<<27), Name: letters(r, 8+r.IntN(5)), Active: r.IntN(2) == 0, Score: cents(r)}
}

func fillNext(r *rand.Rand, m any) {
	s := small(r)
	*m.(*Next) = Next{
		ID: s.ID, Name: s.Name, Active: s.Active, Score: s.Score,
		Note: letters(r, 20), Marks: []uint64{r.Uint64(), r.Uint64()}, Label: label(r),
	}
}

func fillLarge(r *rand.Rand, m any) {
	large := m.(*Large)
	large.ID, large.TS = letters(r, 16), 1_700_000_000_000+r.Int64N(1<<36)
	for range 32 {
		large.Items = append(large.Items, item(r))
	}
}

func item(r *rand.Rand) Item {
	it := Item{
		ID: r.Int64N(1 << 34), Name: letters(r, 10+r.IntN(12)), Price: cents(r),
		Flags: r.Int32N(1 << 14), Active: r.IntN(2) == 0, Blob: make([]byte, 32+r.IntN(17)),
	}
	for range 3 + r.IntN(3) {
		it.Labels = append(it.Labels, label(r))
	}
	for range 6 + r.IntN(4) {
		it.Vals = append(it.Vals, r.Uint64())
	}
	for i := range it.Blob {
		it.Blob[i] = byte(r.Uint32())
	}
	return it
}

func label(r *rand.Rand) Label { return Label{letters(r, 4+r.IntN(5)), letters(r, 6+r.IntN(7))} }

func fillMapped(r *rand.Rand, m any) {
	entries := map[string]string{}
	for i := range 20 {
		entries[fmt.Sprint(letters(r, 6), i)] = letters(r, 6)
	}
	m.(*Mapped).Entries = entries
}

// cents is an amount with two decimals, as people write them.
func cents(r *rand.Rand) float64 { return float64(1+r.IntN(1_000_000)) / 100 }

// letters is a word of n bytes.
func letters(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(26))
	}
	return string(b)
}

// runes is a text of n runes, three bytes each.
func runes(r *rand.Rand, n int) string {
	list := make([]rune, n)
	for i := range list {
		list[i] = 0x4e00 + r.Int32N(0x5000)
	}
	return string(list)
}

// Message is a pointer to one of the messages.
type Message[N any] interface {
	*N
	Reset()
}
