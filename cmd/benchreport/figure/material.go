package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// subject is what a line is a measurement of. Each has an axis of its own.
type subject string

const (
	closed   subject = "closed loop" // callers that call again when their last call has returned
	open     subject = "open loop"   // at an offered rate
	quiet    subject = "quiet"       // the same, of a client that sleeps between calls, beside lines of open
	load     subject = "load"        // at a part of the capacity
	capacity subject = "capacity"
	bulk     subject = "bulk"
	stall    subject = "stall"
	workload subject = "workload"
	codec    subject = "codec"
	start    subject = "start"  // of a program that contains a framework
	silent   subject = "silent" // connections, beside calls
	counted  subject = "count"  // of what a call costs besides time
	dialed   subject = "dial"   // of new clients, and of clients whose server was restarted
	unknown  subject = ""
)

// ofTheirOwn are the subjects whose lines have tables with a date and a machine of their own.
var ofTheirOwn = []subject{start, silent, counted, dialed}

// ofCalls are the subjects whose lines are of calls of a framework.
var ofCalls = []subject{closed, open, load, capacity, bulk, stall, workload}

// subjectOf finds it by the keys of the name and by the units.
func subjectOf(l lines.Line) subject {
	has := func(unit string) bool { _, ok := l.Values[unit]; return ok }
	switch {
	case l.Base == "Codec" && l.Get("codec") != "" && l.Get("op") != "":
		return codec
	case l.Base == "Footprint" && has("binary-B") && has("first-reply-ns"):
		return start
	case l.Base == "Count" && (has("client-allocs/op") || has("request-wire-B/op")):
		return counted
	case l.Base == "Dial" && (has("first-call-ns") || has("reconnects")):
		return dialed
	case l.Get("idle") != "" && has("conns"):
		return silent
	case !has("calls/s"):
		return unknown
	case l.Get("slo") != "":
		return capacity
	case l.Get("load") != "":
		return load
	case l.Get("parallel") != "":
		return bulk
	case l.Get("loop") != "":
		return stall
	case offeredBy(l) > 0:
		return open
	case l.Get("workload") != "":
		return workload
	}
	return closed
}

// material is what figures are made of.
type material struct {
	lines     map[subject][]lines.Line
	all       []lines.Line // those of layers as well
	notes     map[string][]string
	noted     []lines.Line                       // the keys of notes, by Line.Row, in their order; of some there is a name alone
	responses map[string]*hdrhistogram.Histogram // by Line.Row, of all rounds
	strays    int                                // records that belong to no line
	ranks     map[string]string                  // of the frameworks
	layers    layering
}

func newMaterial(t *lines.Text, records []record.Record) *material {
	m := &material{lines: map[subject][]lines.Line{}, notes: map[string][]string{}, responses: map[string]*hdrhistogram.Histogram{}}
	m.tellApart(t)
	m.rank()
	of := map[string][]lines.Line{}
	for _, l := range m.all {
		of[l.Full] = append(of[l.Full], l)
	}
	for _, n := range t.Notes {
		m.noteOf(n, t.Of(n, of[n.Name]))
	}
	for _, r := range records {
		i := slices.IndexFunc(of[r.Name], func(l lines.Line) bool { return behind(r, l) })
		if i < 0 {
			m.strays++
			continue
		}
		m.take(r, of[r.Name][i])
	}
	return m
}

// behind reports whether a record is of a line. Medians are of few values, so that lines
// that were measured otherwise may have the same.
func behind(r record.Record, l lines.Line) bool {
	for key, value := range r.Config {
		if of := l.Config[key]; of != "" && of != value {
			return false
		}
	}
	return math.Abs(l.Values["p50-ns"]-r.P50) < 1
}

// tellApart fills in the lines: of one name are repeats. In the tables of layers lines of
// several settings may be compared.
func (m *material) tellApart(t *lines.Text) {
	beside := lines.Rule{Fields: lines.Fields(), Except: tunedKeys()}.Apart(t.Lines)
	m.layers = newLayering(beside, t.Notes)
	var rest []lines.Line
	for i, l := range t.Lines {
		if m.layers.apart(l) {
			m.all = append(m.all, beside[i])
		} else {
			rest = append(rest, l)
		}
	}
	rest = lines.Apart(rest, lines.Fields()...)
	for _, l := range rest {
		m.lines[subjectOf(l)] = append(m.lines[subjectOf(l)], l)
	}
	m.all = append(m.all, rest...)
	m.tellQuiet()
}

// tellQuiet sets the open loops of clients that sleep between calls apart, if there are
// others as well: their response times are longer, and their CPU times without the waiting.
func (m *material) tellQuiet() {
	sleeps := func(l lines.Line) bool { return l.Config["rate-wait"] == "quiet" }
	for _, l := range m.lines[open] {
		if sleeps(l) {
			m.lines[quiet] = append(m.lines[quiet], l)
		}
	}
	if len(m.lines[quiet]) < len(m.lines[open]) {
		m.lines[open] = slices.DeleteFunc(m.lines[open], sleeps)
	}
}

// of are the lines of some subjects.
func (m *material) of(subjects ...subject) (list []lines.Line) {
	for _, s := range subjects {
		list = append(list, m.lines[s]...)
	}
	return list
}

// take adds a round's record to those of the same line.
func (m *material) take(r record.Record, l lines.Line) {
	if sum := m.responses[l.Row()]; sum != nil {
		sum.Merge(r.Response)
	} else {
		m.responses[l.Row()] = r.Response
	}
	for _, w := range r.Warnings {
		if !strings.HasPrefix(w, "too few calls") { // then the metric is not there
			m.note(l, w)
		}
	}
}

// noteOf keeps a note on the rows that it is about, which may be none.
func (m *material) noteOf(n lines.Note, about []lines.Line) {
	if len(about) == 0 {
		about = []lines.Line{{Name: lines.ParseName(n.Name)}}
	}
	for _, l := range firsts(about) {
		m.note(l, n.Text)
	}
}

// note keeps a text on a line once. The text has all warnings of a line in one.
func (m *material) note(l lines.Line, text string) {
	name := l.Row()
	for _, known := range m.notes[name] {
		if strings.Contains(known, text) {
			return
		}
	}
	if m.notes[name] == nil {
		m.noted = append(m.noted, l)
	}
	m.notes[name] = append(m.notes[name], text)
}

func (m *material) remarks() (list []string) {
	if m.strays > 0 {
		list = append(list, fmt.Sprintf("%d records of -results belong to no line of the text and are left out: are they of another run?", m.strays))
	}
	return list
}

// others lists the benchmarks whose lines nothing shows.
func (m *material) others() (names []string) {
	known := seen{}
	for _, l := range m.lines[unknown] {
		if name := "Benchmark" + l.Base; known.isNew(name) {
			names = append(names, name)
		}
	}
	return names
}

// offeredBy is the rate in calls/s at which the calls of a line were due; 0
// for a closed loop.
func offeredBy(l lines.Line) float64 {
	return cmp.Or(l.Values["offered/s"], float(l.Get("rate")))
}

// frameworks lists the frameworks of calls, in the order of the lines, references last.
func (m *material) frameworks() (list []string) {
	known := seen{}
	for _, l := range m.of(ofCalls...) {
		if name := frameworkOf(l.Name); known.isNew(name) {
			list = append(list, name)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(order(m.rankIn(a)), order(m.rankIn(b))) })
	return list
}

// frameworkOf is what a line is coloured by. A serializer has no colour.
func frameworkOf(n lines.Name) string {
	if n.Base == "Codec" {
		return ""
	}
	return cmp.Or(n.Get("framework"), n.Base)
}
