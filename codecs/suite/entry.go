package suite

import (
	"fmt"
	"reflect"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/property"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is a serializer in one configuration, a line of the table.
type Entry struct {
	Codec string // codec=, as in "protobuf"
	// Mode is the optional mode=: "unsafe" where what is decoded shares memory
	// with the input, "stream" where types are sent once and not per message,
	// "opaque" where fields are reached by methods alone, "lazy" where nested
	// messages are decoded when they are read; "" for none of them.
	Mode string
	// About says in a few words what the serializer is, Code where its code
	// comes from: "reflection", or the generator and its input.
	About, Code string
	// Module is the module whose version is measured; "" for the standard
	// library and our own.
	Module string
	// Advisories are those that are known of the module; zero for none.
	Advisories Advisories

	// Bench to Large are measured and must be there.
	Bench, Flat, Small, Large Case
	// Next and Mapped are not measured, their properties are told. Where the format
	// has no such message it is the zero Case.
	Next, Mapped Case

	// Shares says that what was decoded shares memory with the input: who
	// changes the one changes the other.
	Shares bool
	// Losses are what messages lose on the way, which is tested.
	Losses []Loss
	// Races says what the library shares between goroutines without a lock, so
	// that it cannot be used by several at once; "" for nothing.
	Races string
	// Hazard says what hostile input can do to the decoder; zero for nothing.
	Hazard Hazard
}

// Advisories are reports of faults of a module that an attacker can use.
type Advisories struct {
	IDs string // as in "GO-2026-5046, GO-2026-5047"
	// Version is the version of the module that they are known of. Readme fails when
	// go.mod has another one, so that somebody looks again.
	Version string
}

// ID names an entry as its keys do.
func (e Entry) ID() string {
	if e.Mode == "" {
		return e.Codec
	}
	return e.Codec + "-" + e.Mode
}

// optional returns the keys that stand last: the mode, and data= if it is not warm.
func (e Entry) optional(data string) (keys string) {
	if e.Mode != "" {
		keys += "/mode=" + e.Mode
	}
	if data != "warm" {
		keys += "/data=" + data
	}
	return keys
}

// encodes reports whether the serializer can encode; a few only decode.
func (e Entry) encodes() bool { return e.Bench.make == nil || e.Bench.make().Can(bed.MarshalFresh) }

// cases lists the cases of an entry that are measured, as messages.Measured
// lists their kinds.
func (e Entry) cases() []bed.Case {
	return []bed.Case{
		{Kind: messages.KindBench, New: e.Bench.make},
		{Kind: messages.KindFlat, New: e.Flat.make},
		{Kind: messages.KindSmall, New: e.Small.make},
		{Kind: messages.KindLarge, New: e.Large.make},
	}
}

// all lists every case of an entry, measured or not.
func (e Entry) all() []bed.Case {
	return append(e.cases(), bed.Case{Kind: messages.KindNext, New: e.Next.make}, bed.Case{Kind: messages.KindMapped, New: e.Mapped.make})
}

// expect returns message as it should arrive.
func (e Entry) expect(message any) any {
	want := reflect.New(reflect.TypeOf(message).Elem()).Interface()
	if err := Convert(want, message); err != nil {
		panic(err) // of a type with itself
	}
	for _, l := range e.Losses {
		l.lose(want)
	}
	return want
}

// properties finds out the properties of an entry.
func (e Entry) properties() (property.Properties, error) {
	s := property.Subject{Cases: e.all(), Shares: e.Shares}
	for _, l := range e.Losses {
		s.Losses = append(s.Losses, property.Loss{About: l.About, Lose: l.lose})
	}
	p, err := property.Find(s)
	if err != nil {
		return p, fmt.Errorf("%s: %w", e.ID(), err)
	}
	return p, nil
}

// Hazard is what hostile input can do to a decoder.
type Hazard = hostile.Hazard

// The hazards, from bad to worse.
const (
	Safe   Hazard = hostile.Safe   // neither panics nor takes much more memory than its input
	Panics Hazard = hostile.Panics // panics, which the caller can recover from
	Kills  Hazard = hostile.Kills  // takes more memory than there is, or the stack, or memory of others, which ends the process
)

// target is an entry as hostile input meets it.
func (e Entry) target() hostile.Target {
	t := hostile.Target{ID: e.ID()}
	for _, k := range e.cases() {
		t.Kinds = append(t.Kinds, hostile.Kind{
			Message: k.Kind,
			Encode:  func(message any) ([]byte, error) { return k.New().Encode(bed.MarshalFresh, nil, message) },
			Decoder: func() hostile.Decoder { return k.New().DecodeNative },
		})
	}
	return t
}

func targetsOf(entries []Entry) (list []hostile.Target) {
	for _, e := range entries {
		list = append(list, e.target())
	}
	return list
}
