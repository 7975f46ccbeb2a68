package figures

import (
	"cmp"
	"fmt"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
)

// speed is what a codec takes for one message.
type speed struct {
	codec  Codec
	ops    map[bed.Operation]spread                    // cpu-ns/op
	trip   spread                                      // of marshal_fresh and decode together, round by round; zero for what only decodes
	decode bed.Operation                               // touch for codecs that read in place, else unmarshal
	median func(op bed.Operation, unit string) float64 // 0 if it was not measured
}

func (f Figures) speed(c Codec, msg string) speed {
	name := func(op bed.Operation) string {
		return fmt.Sprintf("Codec/codec=%s/msg=%s/op=%s%s", c.Name, msg, op, c.Keys)
	}
	s := speed{codec: c, ops: map[bed.Operation]spread{}, decode: bed.Unmarshal}
	for _, op := range bed.Operations {
		if rounds := f.values[name(op)]["cpu-ns/op"]; len(rounds) > 0 {
			s.ops[op] = spreadOf(rounds)
		}
	}
	if _, lazy := s.ops[bed.Touch]; lazy {
		s.decode = bed.Touch
	}
	s.trip = spreadOf(sums(f.values[name(bed.MarshalFresh)]["cpu-ns/op"], f.values[name(s.decode)]["cpu-ns/op"]))
	s.median = func(op bed.Operation, unit string) float64 { return f.median(name(op), unit) }
	return s
}

// sums adds what two operations took in the same round.
func sums(a, b []float64) []float64 {
	list := make([]float64, min(len(a), len(b)))
	for i := range list {
		list[i] = a[i] + b[i]
	}
	return list
}

// contradictory reports whether using memory again takes longer than new memory, by
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

// decodes reports whether the row has no round trip.
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
