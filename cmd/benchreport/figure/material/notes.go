package material

import (
	"math"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Notes are what a text and the records behind its lines say of its rows.
type Notes struct {
	Noted     []lines.Line // those with notes, in the order of the notes; of some there is a name alone
	Strays    int          // records that belong to no line
	texts     map[string][]string
	responses map[string]*hdrhistogram.Histogram // of all rounds
	runs      map[string]*record.Record          // of the first round
}

// NewNotes reads the notes and the records on lines.
func NewNotes(list []lines.Line, t *lines.Text, records []record.Record) *Notes {
	n := &Notes{texts: map[string][]string{}, responses: map[string]*hdrhistogram.Histogram{}, runs: map[string]*record.Record{}}
	named := map[string][]lines.Line{}
	for _, l := range list {
		named[l.Full] = append(named[l.Full], l)
	}
	rows := map[string]lines.Rows{}
	for _, note := range t.Notes {
		if _, sorted := rows[note.Name]; !sorted {
			rows[note.Name] = lines.NewRows(named[note.Name])
		}
		n.keep(note, t.Of(note, rows[note.Name]))
	}
	at := mediansOf(list)
	for _, r := range records {
		if i := at.first(r, func(i int) bool { return behind(r, list[i]) }); i < len(list) {
			n.take(r, list[i])
		} else {
			n.Strays++
		}
	}
	return n
}

// medians are the places of lines, by name and median, rounded down.
type medians map[median][]int

type median struct {
	name string
	ns   float64
}

func mediansOf(list []lines.Line) medians {
	m := medians{}
	for i, l := range list {
		at := median{l.Full, math.Floor(l.Values["p50-ns"])}
		m[at] = append(m[at], i)
	}
	return m
}

// first returns the first place that is accepts, among those of the record's name and median;
// math.MaxInt if there is none.
func (m medians) first(r record.Record, is func(i int) bool) int {
	first := math.MaxInt
	for _, by := range []float64{-1, 0, 1} { // less than 1 ns away
		places := m[median{r.Name, math.Floor(r.P50) + by}]
		if i := slices.IndexFunc(places, is); i >= 0 {
			first = min(first, places[i])
		}
	}
	return first
}

// behind reports whether a record is of a line. Lines that were measured otherwise may have
// the same median, so the configuration decides as well.
func behind(r record.Record, l lines.Line) bool {
	for key, value := range r.Config {
		if of := l.Config[key]; of != "" && of != value {
			return false
		}
	}
	return math.Abs(l.Values["p50-ns"]-r.P50) < 1
}

// take adds a round's record to those of the same row.
func (n *Notes) take(r record.Record, l lines.Line) {
	if sum := n.responses[l.Row()]; sum != nil {
		sum.Merge(r.Response)
	} else {
		n.responses[l.Row()], n.runs[l.Row()] = r.Response, &r
	}
	for _, w := range r.Warnings {
		if !strings.HasPrefix(w, "too few calls") && !lines.IsOld(w) { // the metric, or its interval, is not there
			n.add(l, w)
		}
	}
}

// keep keeps a note on the rows that it is about, which may be none.
func (n *Notes) keep(note lines.Note, about []lines.Line) {
	if len(about) == 0 {
		about = []lines.Line{{Name: lines.ParseName(note.Name)}}
	}
	for _, l := range Firsts(about) {
		n.add(l, note.Text)
	}
}

// mostTexts is how many texts a row has: nobody reads more, and each new one is compared with
// those before.
const mostTexts = 100

// add keeps a text on a row once. The text has all warnings of a line in one.
func (n *Notes) add(l lines.Line, text string) {
	name := l.Row()
	switch len(n.texts[name]) {
	case mostTexts + 1:
		return
	case mostTexts:
		text = "there are more warnings than are shown"
	}
	for _, known := range n.texts[name] {
		if strings.Contains(known, text) {
			return
		}
	}
	if n.texts[name] == nil {
		n.Noted = append(n.Noted, l)
	}
	n.texts[name] = append(n.texts[name], text)
}

// On are the notes on the row of a line.
func (n *Notes) On(l lines.Line) []string { return n.texts[l.Row()] }

// Response is the histogram of the response times of a line's row, of all rounds; nil without
// records.
func (n *Notes) Response(l lines.Line) *hdrhistogram.Histogram { return n.responses[l.Row()] }

// Run is the first record of a line's row; nil without records.
func (n *Notes) Run(l lines.Line) *record.Record { return n.runs[l.Row()] }

// Firsts are the lines without their repeats.
func Firsts(list []lines.Line) (unique []lines.Line) {
	known := seen.Texts{}
	for _, l := range list {
		if known.IsNew(l.Row()) {
			unique = append(unique, l)
		}
	}
	return unique
}
