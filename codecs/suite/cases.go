package suite

import (
	"fmt"
	"reflect"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/property"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/sample"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// encodes reports whether the serializer can encode; a few only decode.
func (e Entry) encodes() bool { return e.Bench.make == nil || e.Bench.make().Can(bed.MarshalFresh) }

// kinds are the kinds of messages that are measured.
func (e *environment) kinds() []messages.Kind {
	if e.sample != nil {
		return []messages.Kind{e.sample.Kind()}
	}
	return messages.Measured
}

// measured lists the cases of an entry that are measured, as kinds lists their kinds.
func (e *environment) measured(entry Entry) []bed.Case {
	if e.sample != nil {
		return []bed.Case{entry.own(e.sample.Kind())}
	}
	return entry.cases()
}

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

// own is the case of an entry for messages of one's own.
func (e Entry) own(kind messages.Kind) bed.Case { return bed.Case{Kind: kind, New: e.Own.make} }

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

// seeds lists the cases of an entry whose first messages hostile input is made of: of
// messages of one's own some that stand far from each other.
func (e Entry) seeds(own *sample.Sample) (list []bed.Case) {
	if own == nil {
		return e.cases()
	}
	for _, m := range own.Spread(4) {
		list = append(list, e.own(messages.Listed(own.Name, own.New, []any{m})))
	}
	return list
}

// target is an entry as hostile input meets it.
func (e Entry) target(own *sample.Sample) hostile.Target {
	t := hostile.Target{ID: e.ID()}
	for _, k := range e.seeds(own) {
		t.Kinds = append(t.Kinds, hostile.Kind{
			Message: k.Kind,
			Encode:  func(message any) ([]byte, error) { return k.New().Encode(bed.MarshalFresh, nil, message) },
			Decoder: func() hostile.Decoder { return k.New().DecodeNative },
		})
	}
	return t
}

func targetsOf(entries []Entry, own *sample.Sample) (list []hostile.Target) {
	for _, e := range entries {
		list = append(list, e.target(own))
	}
	return list
}
