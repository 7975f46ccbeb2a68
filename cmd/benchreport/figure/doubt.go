package figure

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Doubts sums up why not to trust some rows.
type Doubts struct {
	Rows, Of int     // rows in doubt, and all rows; the repeats of a line are one row
	Reasons  []Doubt // the most frequent first
}

// Doubt is a reason that holds for several rows.
type Doubt struct {
	Text string   // numbers that differ between rows are ranges, as in "95–100 %"
	Rows []string // as in "Echo grpc, 1KiB, 100 callers"
}

// Summary is one sentence; "" where no row is in doubt.
func (d Doubts) Summary() string {
	if d.Rows == 0 {
		return ""
	}
	s := fmt.Sprintf("%d of %d rows are in doubt", d.Rows, d.Of)
	for i, r := range d.Reasons[:min(len(d.Reasons), 3)] {
		s += []string{": ", "; ", "; "}[i] + fmt.Sprintf("%s (%d)", r.Text, len(r.Rows))
	}
	if more := len(d.Reasons) - 3; more > 0 {
		s += fmt.Sprintf("; and %d more reasons", more)
	}
	return s
}

// doubts sums the notes up. Those on lines that have no result are of no row,
// but are listed with the others.
func (m *material) doubts(list []lines.Line) Doubts {
	var d Doubts
	kinds := &kinds{of: map[string]*kind{}}
	for _, l := range firsts(list) {
		d.Of++
		if len(m.notes[l.Row()]) > 0 {
			d.Rows++
		}
	}
	for _, l := range m.noted {
		for _, text := range m.notes[l.Row()] {
			kinds.add(text, row(l.Name))
		}
	}
	for _, k := range kinds.list {
		d.Reasons = append(d.Reasons, Doubt{k.text(), k.rows})
	}
	slices.SortStableFunc(d.Reasons, func(a, b Doubt) int { return cmp.Compare(len(b.Rows), len(a.Rows)) })
	return d
}

// kind is texts that differ in their numbers alone.
type kind struct {
	between   []string // the words between numbers
	low, high []string // numbers
	rows      []string
	known     seen // rows
}

// kinds are in the order of their first texts.
type kinds struct {
	list []*kind
	of   map[string]*kind
}

// numbers are a number each, or a range of what several lines have, as in 3–5.
var numbers = regexp.MustCompile(`\d+(\.\d+)?(–\d+(\.\d+)?)?`)

// add takes a note apart, which has all warnings of a line in one.
func (ks *kinds) add(note, row string) {
	reasons := []string{note}
	if !strings.HasPrefix(note, "failed calls: ") {
		reasons = strings.Split(note, "; ")
	}
	for _, text := range reasons {
		between, values := numbers.Split(text, -1), numbers.FindAllString(text, -1)
		k := ks.of[fmt.Sprintf("%q", between)]
		if k == nil {
			k = &kind{between: between, known: seen{}}
			ks.list, ks.of[fmt.Sprintf("%q", between)] = append(ks.list, k), k
		}
		k.add(values, row)
	}
}

func (k *kind) add(values []string, row string) {
	for i, v := range values {
		low, high, _ := strings.Cut(v, "–")
		high = cmp.Or(high, low)
		if i == len(k.low) {
			k.low, k.high = append(k.low, low), append(k.high, high)
		}
		k.low[i] = slices.MinFunc([]string{k.low[i], low}, byValue)
		k.high[i] = slices.MaxFunc([]string{k.high[i], high}, byValue)
	}
	if k.known.isNew(row) {
		k.rows = append(k.rows, row)
	}
}

func byValue(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

func (k *kind) text() string {
	var b strings.Builder
	for i, words := range k.between {
		b.WriteString(words)
		if i == len(k.low) {
			break
		}
		b.WriteString(k.low[i])
		if k.low[i] != k.high[i] {
			b.WriteString("–" + k.high[i])
		}
	}
	return b.String()
}

// row names a line by its values.
func row(n lines.Name) string {
	name := n.Base
	for _, k := range n.Keys {
		switch k.Key {
		case "framework", "transport", "codec":
			name += " " + k.Value
		default:
			name += ", " + words(k)
		}
	}
	return name
}
