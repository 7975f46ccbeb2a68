package material

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Kind is a benchmark, as far as its lines are told from others and sorted.
type Kind struct {
	// Is reports whether a line is of this kind. A line is of the first kind that takes it.
	Is func(l lines.Line) bool
	// General kinds only take lines that no other kind takes.
	General bool
	// Calls says that the lines are of a framework's calls; those without calls/s are not.
	Calls bool
	// Offered says that calls are due at a rate, so that percentiles say what users wait.
	Offered bool
	// Layered kinds have tables of what layers and settings of the runtime add, as those of
	// calls have.
	Layered bool
	// Parts says that the lines are of parts of calls: they are no rows of their own.
	Parts bool
	// Keys are the benchmark's own keys in names that lines of one chart have in common, with
	// how a title says their values. A nil function says the key, followed by the value.
	Keys Words
	// Uncounted reports whether the percentiles of a line are of calls that the line does not
	// count. Nil: no line's are.
	Uncounted func(l lines.Line) bool
	// Aside reports whether a line is set aside, which is charted only if there are no others.
	// Nil: no line is.
	Aside func(l lines.Line) bool
}

// Words say the values of keys so that they can be told without their keys.
type Words map[string]func(value string) string

// Alone is a value that says what it is, as sizes do.
func Alone(value string) string { return value }

// After returns the words of a value with a text behind it.
func After(text string) func(string) string {
	return func(value string) string { return value + text }
}

// common are the keys that several benchmarks have, and that lines of one chart have in
// common. All keys that are neither here nor a kind's tell variants apart.
var common = Words{
	"size": Alone, "mode": Alone, "workload": Alone,
	"conc":    callersOf,
	"rate":    After(" calls/s offered"),
	"servers": After(" servers"),
	"slow":    func(value string) string { return "slow=" + value },
	"net":     nil, "msg": nil, "streams": nil, "mix": nil, "data": nil, "timeout": nil, "payload": nil, "peer": nil,
}

func callersOf(conc string) string {
	if conc == "1" {
		return "1 caller"
	}
	return conc + " callers"
}

// Kinds are all benchmarks whose lines are shown.
type Kinds struct {
	list  []*Kind
	words Words // of common keys, and of all kinds'
}

// NewKinds returns kinds that are asked for a line in the order of the list.
func NewKinds(list []*Kind) *Kinds {
	ks := &Kinds{list, maps.Clone(common)}
	for _, k := range list {
		maps.Copy(ks.words, k.Keys)
	}
	return ks
}

// Of is the kind of a line; nil if none takes it.
func (ks *Kinds) Of(l lines.Line) *Kind {
	_, calls := l.Values["calls/s"]
	for _, general := range []bool{false, true} {
		for _, k := range ks.list {
			if k.General == general && (calls || !k.Calls) && k.Is(l) {
				return k
			}
		}
	}
	return nil
}

// having are the kinds of which a property holds.
func (ks *Kinds) having(is func(k *Kind) bool) (list []*Kind) {
	for _, k := range ks.list {
		if is(k) {
			list = append(list, k)
		}
	}
	return list
}

// Layered are the kinds with tables of layers, those of calls first.
func (ks *Kinds) Layered() []*Kind {
	return slices.Concat(
		ks.having(func(k *Kind) bool { return k.Calls }),
		ks.having(func(k *Kind) bool { return k.Layered && !k.Calls }),
	)
}

// Word says a key's value so that it can be told without the key.
func (ks *Kinds) Word(k lines.Key) string {
	if say := ks.words[k.Key]; say != nil {
		return say(k.Value)
	}
	if k.Key == "" || k.Key == lines.ApartKey {
		return k.Value
	}
	return k.Key + " " + k.Value
}

// Row names a line by its values, as in "Echo grpc, 1KiB, 100 callers".
func (ks *Kinds) Row(n lines.Name) string {
	name := n.Base
	for _, k := range n.Keys {
		switch k.Key {
		case "framework", "transport", "codec":
			name += " " + k.Value
		default:
			name += ", " + ks.Word(k)
		}
	}
	return name
}

// isCondition reports whether lines of one chart have a key in common.
func (ks *Kinds) isCondition(key string) bool {
	_, is := ks.words[key]
	return is
}

// unique names a list of keys.
func unique(name string, keys []lines.Key) string { return fmt.Sprintf("%q %q", name, keys) }
