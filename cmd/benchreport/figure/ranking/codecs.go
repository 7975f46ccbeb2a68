package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

var codecColumns = []Column{
	{Head: "#", Words: true},
	{Head: "serializer", Words: true},
	{Group: "time ns", Head: "encode"},
	{Group: "time ns", Head: "decode"},
	{Group: "time ns", Head: "sum"},
	{Head: "±", Spare: 1},
	{Head: "bytes"},
	{Head: "allocs", Spare: 2},
}

// encode and decode are the operations that are compared: into a new buffer, and into a new
// message. A serializer that leaves work to who reads has touch, which decodes and reads.
const encode, decode, touch = "marshal_fresh", "unmarshal", "touch"

// serializer is a row before it is ranked.
type serializer struct {
	v      *material.Variant
	decode string    // touch or decode
	sum    []float64 // in each round, in ns; nil without both operations
}

func newSerializer(v *material.Variant) serializer {
	s := serializer{v: v, decode: decode}
	if at(v, touch, "ns/op") != nil {
		s.decode = touch
	}
	s.sum = s.both("ns/op")
	return s
}

// both adds what both operations have of a unit.
func (s serializer) both(unit string) []float64 {
	return material.Sums(at(s.v, encode, unit), at(s.v, s.decode, unit))
}

// Codecs ranks the serializers of a message by the time to encode and decode it. told is what
// the lines say of messages of a user's own. A serializer that loses a part of them does less
// work, and has no place.
func Codecs(g *material.Group, told []string) *Table {
	t := &Table{Title: g.Title(), Columns: slices.Clone(codecColumns)}
	var list []serializer
	rounds := 0
	for _, v := range g.Variants {
		s := newSerializer(v)
		list, rounds = append(list, s), max(rounds, len(s.sum))
	}
	t.About = fmt.Sprintf("medians of %d rounds", rounds)
	slices.SortStableFunc(list, func(a, b serializer) int {
		return cmp.Compare(a.middle(), b.middle())
	})
	var values [][]float64
	lossy := false
	for _, s := range list {
		if loses(s.v, told) {
			lossy, s.sum = true, nil
		}
		values = append(values, s.sum)
	}
	places := placesOf(values)
	for i, s := range list {
		t.Rows = append(t.Rows, s.row(places[i]))
	}
	t.Notes = []string{"Encoded into a new buffer, decoded into a new message and read. " + equalNote}
	if lossy {
		t.Notes = append(t.Notes, "What loses a part of the messages has no place.")
	}
	t.noted()
	t.withoutEmpty()
	return t
}

// loses reports whether a serializer loses a part of the messages, when it decodes into new
// ones.
func loses(v *material.Variant, told []string) bool {
	name := v.Lines[0].Get("codec")
	if mode := v.Lines[0].Get("mode"); mode != "" {
		name += "-" + mode
	}
	for _, text := range told {
		losses, ok := strings.CutPrefix(text, name+" loses of "+v.Lines[0].Get("msg")+": ")
		for loss := range strings.SplitSeq(losses, "; ") {
			if ok && !strings.HasPrefix(loss, reused) && !strings.HasPrefix(loss, "and ") {
				return true
			}
		}
	}
	return false
}

// reused begins a loss of unmarshal_reuse alone, which is not ranked.
const reused = "in a used message: "

func (s serializer) row(place string) []Cell {
	return []Cell{
		{Text: place},
		{Text: s.v.Label},
		cell(at(s.v, encode, "ns/op"), 1),
		cell(at(s.v, s.decode, "ns/op"), 1),
		cell(s.sum, 1),
		{Text: spread(s.sum)},
		{Text: number.OrMissing(s.v.Values("encoded-B"), 1)},
		{Text: number.OrMissing(s.both("allocs/op"), 1)},
	}
}

// at are the values of a unit of an operation.
func at(v *material.Variant, op, unit string) []float64 {
	for _, r := range v.Points(material.None(), material.Metric{Value: unit, At: op}) {
		return r.Values
	}
	return nil
}

// middle is the median of the sums; more than any where a serializer does not both encode and
// decode.
func (s serializer) middle() float64 {
	if s.sum == nil {
		return math.Inf(1)
	}
	return pairs.Median(s.sum)
}

func spread(values []float64) string {
	if len(values) < 2 {
		return number.Missing
	}
	return fmt.Sprintf("%.0f %%", 100*number.Spread(values))
}
