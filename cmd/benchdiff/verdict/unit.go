package verdict

import (
	"slices"
	"strings"
)

// unit is a kind of row that is compared.
type unit struct {
	name    string
	rising  bool    // more is better
	isCount bool    // it is counted, and not a time
	step    float64 // a smaller change in the unit does not matter
	// unsteady is why the count of one program may differ from turn to turn. Of lines
	// without times, counts that have no reason are information.
	unsteady string
	// waits says that a count grows with the time that a side waits. It is told of lines
	// without times, and judged nowhere.
	waits bool
}

// judged reports whether more of a count fails.
func (u unit) judged() bool { return u.unsteady != "" }

// gated reports whether a unit is a count that is judged.
func gated(name string) bool {
	return slices.ContainsFunc(units, func(u unit) bool { return u.name == name && u.judged() })
}

// isCount reports whether a unit is counted, and not a time.
func isCount(name string) bool {
	return slices.ContainsFunc(units, func(u unit) bool { return u.name == name && u.isCount })
}

// Why counts differ from turn to turn.
const (
	allocating = "A collection empties pools, and work in the background allocates as well."
	encoding   = "Numbers and times of other lengths are sent, and frames that depend on time."
	segmenting = "What is written in several pieces leaves in one segment or in several."
	calling    = "What is written in several pieces is read in one or in several, by the timing."
)

var units = []unit{
	{name: "calls/s", rising: true},
	{name: "ns/op"},
	{name: "p50-ns"},
	{name: "p99-ns"},
	{name: "cpu-ns/op"},
	{name: "client-cpu-ns/op"},
	{name: "server-cpu-ns/op"},
	{name: "B/op", isCount: true, step: 1},
	{name: "allocs/op", isCount: true, step: 0.5, unsteady: allocating},
	{name: "client-B/op", isCount: true, step: 1},
	{name: "client-allocs/op", isCount: true, step: 0.5, unsteady: allocating},
	{name: "server-B/op", isCount: true, step: 1},
	{name: "server-allocs/op", isCount: true, step: 0.5, unsteady: allocating},
	{name: "wire-B/op", isCount: true, step: 1},
	{name: "request-wire-B/op", isCount: true, step: 0.5, unsteady: encoding},
	{name: "reply-wire-B/op", isCount: true, step: 0.5, unsteady: encoding},
	{name: "segs/op", isCount: true, step: 0.5, unsteady: segmenting},
	{name: "client-syscalls/op", isCount: true, step: 0.5, unsteady: calling},
	{name: "server-syscalls/op", isCount: true, step: 0.5, unsteady: calling},
	{name: "client-other-syscalls/op", isCount: true, step: 0.5, waits: true},
	{name: "server-other-syscalls/op", isCount: true, step: 0.5, waits: true},
	{name: "client-spans/op", isCount: true, step: 0.5},
	{name: "server-spans/op", isCount: true, step: 0.5},
	{name: "client-switches/op", isCount: true, step: 0.5, waits: true},
	{name: "server-switches/op", isCount: true, step: 0.5, waits: true},
}

func (u unit) word(worse bool) Status {
	switch {
	case u.isCount && worse:
		return More
	case u.isCount:
		return Less
	case worse:
		return Slower
	}
	return Faster
}

// least is the smallest change that is called one, in the scale of the row.
func (u unit) least(row Row) float64 {
	if strings.HasSuffix(u.name, "allocs/op") { // one of 1,000 matters as well
		return row.units(u.step)
	}
	return max(row.part(least), row.units(u.step))
}
