package suite

import (
	"fmt"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
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
	// Next and Mapped tell properties; the zero Case where the format has no
	// such thing.
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
	// Version is the one of which that is true. Readme fails when go.mod has another,
	// so that somebody looks again.
	Version string
}

// ID names an entry as its keys do.
func (e Entry) ID() string {
	if e.Mode == "" {
		return e.Codec
	}
	return e.Codec + "-" + e.Mode
}

// optional are the keys that stand last, and only where they say something.
func (e Entry) optional(data string) (keys string) {
	if e.Mode != "" {
		keys += "/mode=" + e.Mode
	}
	if data != "warm" {
		keys += "/data=" + data
	}
	return keys
}

// encodes is false for a serializer that only decodes.
func (e Entry) encodes() bool { return e.Bench.make == nil || e.Bench.make().can(marshalFresh) }

// cases lists the cases of an entry that are measured, as messages.Measured
// lists their kinds.
func (e Entry) cases() []kindCase {
	return []kindCase{
		{messages.KindBench, e.Bench},
		{messages.KindFlat, e.Flat},
		{messages.KindSmall, e.Small},
		{messages.KindLarge, e.Large},
	}
}

// all lists every case of an entry, measured or not.
func (e Entry) all() []kindCase {
	return append(e.cases(), kindCase{messages.KindNext, e.Next}, kindCase{messages.KindMapped, e.Mapped})
}

type kindCase struct {
	kind messages.Kind
	Case
}

// How many messages a benchmark takes in turn: one would teach the branch
// predictor, many do not fit into the caches.
const (
	warmMessages = 256
	coldMessages = 4096
)

// open makes a bed of the first n seeded messages.
func (k kindCase) open(n int) (bed, error) {
	if k.Case.make == nil {
		return nil, fmt.Errorf("no case for %s", k.kind.Name)
	}
	b := k.Case.make()
	return b, b.load(k.kind.Sample(n))
}

// Case is a serializer for one of the messages, its native type hidden.
type Case struct{ make func() bed }

// Of makes a case of a serializer. Each bed, and so each goroutine, gets one of
// its own from new, which may keep buffers and streams.
func Of[N any](new func() Serializer[N]) Case {
	return Case{func() bed { return newBed(new()) }}
}

// Hazard is what hostile input can do to a decoder.
type Hazard = hostile.Hazard

// The hazards, from bad to worse.
const (
	Safe   = hostile.Safe   // neither panics nor takes much more memory than its input
	Panics = hostile.Panics // panics, which the caller can recover from
	Kills  = hostile.Kills  // takes more memory than there is, or the stack, or memory of others, which ends the process
)

// target is an entry as hostile input meets it.
func (e Entry) target() hostile.Target {
	t := hostile.Target{ID: e.ID()}
	for _, k := range e.cases() {
		t.Kinds = append(t.Kinds, hostile.Kind{
			Message: k.kind,
			Encode:  func(message any) ([]byte, error) { return k.make().encode(marshalFresh, nil, message) },
			Decoder: func() hostile.Decoder { return k.make().attack },
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
