package suite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// speed is what one serializer takes for one message.
type speed struct {
	entry Entry
	ops   map[bed.Operation]spread // cpu-ns/op
	trip  spread                   // of marshal_fresh and decode together, round by round; zero for what only decodes
	// decode is touch for serializers that read in place, else unmarshal.
	decode bed.Operation
	// more returns a median that is no time.
	more func(op bed.Operation, unit string) float64
}

func (e Entry) speed(f figures, msg string) speed {
	name := func(op bed.Operation) string {
		return fmt.Sprintf("Codec/codec=%s/msg=%s/op=%s%s", e.Codec, msg, op, e.optional("warm"))
	}
	s := speed{entry: e, ops: map[bed.Operation]spread{}, decode: bed.Unmarshal}
	for _, op := range bed.Operations {
		if rounds := f.values[name(op)]["cpu-ns/op"]; len(rounds) > 0 {
			s.ops[op] = spreadOf(rounds)
		}
	}
	if _, lazy := s.ops[bed.Touch]; lazy {
		s.decode = bed.Touch
	}
	s.trip = spreadOf(sums(f.values[name(bed.MarshalFresh)]["cpu-ns/op"], f.values[name(s.decode)]["cpu-ns/op"]))
	s.more = func(op bed.Operation, unit string) float64 { return f.median(name(op), unit) }
	return s
}

// measured reports that there are figures of the entry.
func (e Entry) measured(f figures) bool {
	return slices.ContainsFunc(messages.Measured, func(k messages.Kind) bool { return len(e.speed(f, k.Name).ops) > 0 })
}

// sums adds what two operations took in the same round.
func sums(a, b []float64) []float64 {
	list := make([]float64, min(len(a), len(b)))
	for i := range list {
		list[i] = a[i] + b[i]
	}
	return list
}

// contradictory reports that using memory again takes longer than new memory, by
// more than chance.
func (s speed) contradictory() bool {
	slower := func(again, fresh bed.Operation) bool {
		a, measured := s.ops[again]
		return measured && s.ops[fresh].below(a)
	}
	return slower(bed.Marshal, bed.MarshalFresh) || slower(bed.UnmarshalReuse, bed.Unmarshal)
}

// undecided is the place of a contradictory row.
const undecided = "undecided"

// decodes reports that the row has no round trip.
func (s speed) decodes() bool { return s.trip == spread{} }

// placesOf are the places of a message's rows. Contradictory ones, and those that only
// decode, take no part.
func placesOf(rows []speed) []string {
	var trips []spread
	for _, s := range rows {
		if !s.contradictory() && !s.decodes() {
			trips = append(trips, s.trip)
		}
	}
	list, next := make([]string, len(rows)), places(trips)
	for i, s := range rows {
		switch {
		case s.contradictory():
			list[i] = undecided
		case s.decodes():
			list[i] = "-"
		default:
			list[i], next = next[0].String(), next[1:]
		}
	}
	return list
}

// compare orders rows: the fastest round trip first, and last what only decodes.
func (s speed) compare(other speed) int {
	switch {
	case s.decodes() && other.decodes():
		return cmp.Compare(s.ops[s.decode].median, other.ops[other.decode].median)
	case s.decodes():
		return 1
	case other.decodes():
		return -1
	}
	return cmp.Compare(s.trip.median, other.trip.median)
}

// speedTable lists a message's figures, the fastest round trip first.
func (e *environment) speedTable(f figures, msg string) string {
	var rows []speed
	for _, entry := range e.entries {
		if entry.measured(f) {
			rows = append(rows, entry.speed(f, msg))
		}
	}
	slices.SortStableFunc(rows, speed.compare)
	table := [][]string{{
		"place", "serializer", "marshal", "marshal_fresh", "unmarshal", "unmarshal_reuse", "touch",
		"allocations", "bytes allocated", "encoded-B", "gz-B", "zstd-B",
	}}
	for i, p := range placesOf(rows) {
		table = append(table, append([]string{p}, rows[i].cells()...))
	}
	return markdown(table)
}

func (s speed) cells() []string {
	cells := []string{s.entry.ID()}
	for _, op := range bed.Operations {
		figure, found := s.ops[op]
		cells = append(cells, measured(figure.String(), found))
	}
	for _, unit := range []string{"allocs/op", "B/op"} {
		fresh, decode, reuse := s.more(bed.MarshalFresh, unit), s.more(s.decode, unit), s.more(bed.UnmarshalReuse, unit)
		cells = append(cells, fmt.Sprintf("%s + %s (%s)", measured(whole(fresh), !s.decodes()), whole(decode), whole(reuse)))
	}
	for _, unit := range []string{"encoded-B", "gz-B", "zstd-B"} {
		cells = append(cells, whole(s.more(s.decode, unit)))
	}
	return cells
}

// anew lists the serializers that use nothing again in unmarshal_reuse but the
// message itself, one allocation, where a message has lists. Pools that a collection
// has emptied may be one in two hundred.
func (e *environment) anew(f figures) (list []string) {
	for _, entry := range e.entries {
		s := entry.speed(f, messages.KindLarge.Name)
		if entry.measured(f) && s.more(bed.UnmarshalReuse, "allocs/op") >= 0.995*s.more(bed.Unmarshal, "allocs/op")-1 && s.decode == bed.Unmarshal {
			list = append(list, entry.ID())
		}
	}
	return list
}
