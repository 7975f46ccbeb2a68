package progress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// line says how far a run is.
type line struct {
	loadgen.Config
	failed int64 // calls of the run so far
}

// field is a part of a line. Of a line that is too wide, the field with the highest rank is
// left out first.
type field struct {
	text string
	rank int
}

// fields are the parts of the line about p, in their order.
func (l *line) fields(p loadgen.Progress) []field {
	if p.Last.Start == 0 { // a run begins
		l.failed = 0
	}
	l.failed += p.Last.Failed
	length := l.length(p)
	list := []field{{l.far(p.Last.Start+length, p.Ended), 0}}
	if length > 0 {
		list = append(list, field{figure.Rate(p.Last.OK, length) + " calls/s", 1})
	}
	list = append(list, responses(p.Responses)...)
	list = append(list, field{fmt.Sprintf("%d failed", l.failed), 2})
	if l.Schedule == loadgen.ClosedLoop {
		list = append(list, field{"closed loop", 6})
	}
	return list
}

// isRest reports whether p is of so little of an interval, after others, that its line would say
// less than the one before.
func (l *line) isRest(p loadgen.Progress) bool {
	return p.Over && p.Last.Start > 0 && l.length(p) < cmp.Or(l.Interval, time.Second)/10
}

// length is how long the last interval was. The one in which a run ended may be shorter than
// others.
func (l *line) length(p loadgen.Progress) time.Duration {
	whole := cmp.Or(l.Interval, time.Second)
	if !p.Over {
		return whole
	}
	return max(min(p.Elapsed-p.Last.Start, whole).Round(time.Millisecond), 0)
}

// far says how much of the run is over.
func (l *line) far(at time.Duration, ended int64) string {
	text := at.String()
	switch late := (at - l.Duration).Round(time.Millisecond); {
	case l.Duration > 0 && late > 0 && l.Schedule != loadgen.ClosedLoop:
		text += fmt.Sprintf(", %v after the last was due", late)
	case l.Duration > 0:
		text += fmt.Sprintf(" of %v", l.Duration)
	}
	if l.Calls > 0 {
		text += fmt.Sprintf(", %d of %d calls", ended, l.Calls)
	}
	return text
}

// responses are the percentiles that have enough responses, and the longest one.
func responses(h *loadgen.Histogram) (list []field) {
	if h.Count() == 0 {
		return nil
	}
	add := func(name string, q float64, rank int) {
		list = append(list, field{fmt.Sprintf("%s %v", name, figure.Short(h.Quantile(q))), rank})
	}
	add(figure.Percentile(.5), .5, 5)
	for _, q := range []float64{.99, .9} {
		if h.EnoughFor(q) {
			add(figure.Percentile(q), q, 3)
			break
		}
	}
	add("max", 1, 4)
	return list
}

// fit joins those fields for which there is room. The most important one is cut if even that
// is too wide.
func fit(fields []field, columns int) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.text
	}
	text := []rune(strings.Join(texts, "  "))
	switch {
	case len(text) <= columns:
		return string(text)
	case len(fields) == 1:
		return string(text[:max(columns, 0)])
	}
	least := slices.MaxFunc(fields, func(a, b field) int { return cmp.Compare(a.rank, b.rank) })
	return fit(slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return f == least }), columns)
}
