package material

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Variant is the lines of one series.
type Variant struct {
	Framework string      // "" for a serializer
	Keys      []lines.Key // of the name, without conditions and the framework
	Label     string
	Style     int // from 0, of the variants of a framework
	Lines     []lines.Line
	kinds     *Kinds
	at        map[string][]lines.Line // by the point of the axis
}

func (v *Variant) add(l lines.Line, a Axis) {
	v.Lines = append(v.Lines, l)
	v.at[a.Name(l)] = append(v.at[a.Name(l)], l)
}

// Of is the variant with some of its lines alone.
func (v *Variant) Of(list []lines.Line) *Variant { return &Variant{Lines: list, kinds: v.kinds} }

// Rank is read from the first line, since all lines of a variant have the same.
func (v *Variant) Rank() string { return rank.Of(v.Lines[0]) }

// Codec is how a variant's messages are encoded; "" if its lines do not say it.
func (v *Variant) Codec() string { return v.Lines[0].Get("codec") }

// Points are the lines of a variant that have the metric, the repeats of each together. A
// percentile of too few calls is left out.
func (v *Variant) Points(a Axis, f Metric) (list []*Repeats) {
	from := v.Lines
	if f.At != "" {
		from = v.at[f.At]
	}
	known, calls := map[string]*Repeats{}, map[*Repeats]float64{}
	for _, l := range from {
		value, ok := f.of(l)
		if !ok {
			continue
		}
		r := known[l.Row()]
		if r == nil {
			r = &Repeats{Name: a.Name(l)}
			known[l.Row()], list = r, append(list, r)
		}
		r.add(a, f, l, value)
		calls[r] += v.kinds.Slower(l, f.Value)
	}
	return slices.DeleteFunc(list, func(r *Repeats) bool { return !Enough(calls[r]) })
}

// Values are what all lines have of a unit; nil if none has it.
func (v *Variant) Values(unit string) []float64 {
	if list := v.Points(None(), Metric{Value: unit}); len(list) > 0 {
		return list[0].Values
	}
	return nil
}

// Middle is the median of a unit; 0 if no line has it.
func (v *Variant) Middle(unit string) float64 {
	if values := v.Values(unit); len(values) > 0 {
		return pairs.Median(values)
	}
	return 0
}

// CPU is the CPU time of a call on both sides in each round, in ns; nil if a round does not
// have both.
func (v *Variant) CPU() []float64 {
	return Sums(v.Values("client-cpu-ns/op"), v.Values("server-cpu-ns/op"))
}

// Sums adds the values of each round; nil unless both have as many.
func Sums(a, b []float64) (list []float64) {
	if len(a) != len(b) {
		return nil
	}
	for i := range a {
		list = append(list, a[i]+b[i])
	}
	return list
}
