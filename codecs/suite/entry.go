package suite

import "github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"

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

	// Bench to Large are measured and must be there, unless there are messages of one's own.
	Bench, Flat, Small, Large Case
	// Next and Mapped are not measured, their properties are told. Where the format
	// has no such message it is the zero Case.
	Next, Mapped Case
	// Own is the case of the messages of Config.Messages. Where there are such it must be
	// there, unless Refuses is, and the other cases are not used.
	Own Case
	// Refuses says why the serializer cannot take such messages, if that is known beforehand;
	// "" for nothing.
	Refuses string

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

// Hazard is what hostile input can do to a decoder.
type Hazard = hostile.Hazard

// The hazards, from bad to worse.
const (
	Safe   Hazard = hostile.Safe   // neither panics nor takes much more memory than its input
	Panics Hazard = hostile.Panics // panics, which the caller can recover from
	Kills  Hazard = hostile.Kills  // takes more memory than there is, or the stack, or memory of others, which ends the process
)
