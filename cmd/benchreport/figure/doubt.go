package figure

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Doubts sums up what makes figures wrong, as errors and other processes do.
type Doubts struct {
	Rows, Of int     // rows in doubt, and all rows; the repeats of a line are one row
	Reasons  []Doubt // the most frequent first
}

// Doubt is a reason that holds for several rows.
type Doubt struct {
	Text string   // numbers that differ between rows are ranges, as in "95–100 %"
	Rows []string // as in "Echo grpc, 1KiB, 100 callers"
}

// Summary is one line; "" where there is nothing.
func (d Doubts) Summary() string {
	if len(d.Reasons) == 0 {
		return ""
	}
	s := d.Reasons[0].Among(d.Of)
	if more := len(d.Reasons) - 1; more > 0 {
		s += fmt.Sprintf("; %d more", more)
	}
	return s
}

// Among says of how many of all rows it holds.
func (d Doubt) Among(of int) string { return fmt.Sprintf("%d of %d rows: %s", len(d.Rows), of, d.Text) }

// doubtsOf sums the notes up. Those on lines that have no result are of no row, but are
// listed with the others.
func doubtsOf(m *material.Material, list []lines.Line) Doubts {
	var d Doubts
	reasons := &reasons{of: map[string]*reason{}}
	for _, l := range material.Firsts(list) {
		noted := len(m.Notes.On(l)) > 0
		if k := m.Kinds.Of(l); noted || k == nil || !k.Parts {
			d.Of++
		}
		if noted {
			d.Rows++
		}
	}
	for _, l := range m.Notes.Noted {
		for _, text := range m.Notes.On(l) {
			reasons.add(text, m.Row(l.Name))
		}
	}
	for _, one := range reasons.list {
		d.Reasons = append(d.Reasons, Doubt{one.text(), one.rows})
	}
	slices.SortStableFunc(d.Reasons, func(a, b Doubt) int { return cmp.Compare(len(b.Rows), len(a.Rows)) })
	return d
}

// reason is texts that differ in their numbers alone.
type reason struct {
	between   []string // the words between numbers
	low, high []string // numbers
	rows      []string
	known     seen.Texts // rows
}

// reasons are in the order of their first texts.
type reasons struct {
	list []*reason
	of   map[string]*reason
}

// numbers are a number each, or a range of what several lines have, as in 3–5.
var numbers = regexp.MustCompile(`\d+(\.\d+)?(–\d+(\.\d+)?)?`)

// add takes a note apart, which has all warnings of a line in one.
func (rs *reasons) add(note, row string) {
	texts := []string{note}
	if !strings.HasPrefix(note, "failed calls: ") {
		texts = strings.Split(note, "; ")
	}
	for _, text := range texts {
		between, values := numbers.Split(text, -1), numbers.FindAllString(text, -1)
		r := rs.of[fmt.Sprintf("%q", between)]
		if r == nil {
			r = &reason{between: between, known: seen.Texts{}}
			rs.list, rs.of[fmt.Sprintf("%q", between)] = append(rs.list, r), r
		}
		r.add(values, row)
	}
}

func (r *reason) add(values []string, row string) {
	for i, v := range values {
		low, high, _ := strings.Cut(v, "–")
		high = cmp.Or(high, low)
		if i == len(r.low) {
			r.low, r.high = append(r.low, low), append(r.high, high)
		}
		r.low[i] = slices.MinFunc([]string{r.low[i], low}, byValue)
		r.high[i] = slices.MaxFunc([]string{r.high[i], high}, byValue)
	}
	if r.known.IsNew(row) {
		r.rows = append(r.rows, row)
	}
}

func byValue(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

func (r *reason) text() string {
	var b strings.Builder
	for i, words := range r.between {
		b.WriteString(words)
		if i == len(r.low) {
			break
		}
		b.WriteString(r.low[i])
		if r.low[i] != r.high[i] {
			b.WriteString("–" + r.high[i])
		}
	}
	return b.String()
}
