package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// material is what figures are made of.
type material struct {
	closed, open []lines.Line // of calls: without and with an offered rate
	codec        []lines.Line // of serializers
	others       []string     // benchmarks of which nothing is shown
	notes        map[string][]string
	responses    map[string]*hdrhistogram.Histogram // by Name.Full, of all rounds
	strays       int                                // records that belong to no line
}

func newMaterial(t *lines.Text, records []record.Record) *material {
	m := &material{notes: map[string][]string{}, responses: map[string]*hdrhistogram.Histogram{}}
	p50s := map[string][]float64{}
	for _, l := range t.Lines {
		m.sort(l)
		p50s[l.Full] = append(p50s[l.Full], l.Values["p50-ns"])
	}
	for _, n := range t.Notes {
		m.note(n.Name, n.Text)
	}
	for _, r := range records {
		behind := func(p50 float64) bool { return math.Abs(p50-r.P50) < 1 }
		if !slices.ContainsFunc(p50s[r.Name], behind) {
			m.strays++
			continue
		}
		m.take(r)
	}
	return m
}

// sort finds what a line is of.
func (m *material) sort(l lines.Line) {
	_, calls := l.Values["calls/s"]
	switch {
	case calls && offeredBy(l) > 0:
		m.open = append(m.open, l)
	case calls:
		m.closed = append(m.closed, l)
	case l.Base == "Codec" && l.Get("codec") != "" && l.Get("op") != "":
		m.codec = append(m.codec, l)
	case !slices.Contains(m.others, "Benchmark"+l.Base):
		m.others = append(m.others, "Benchmark"+l.Base)
	}
}

// take adds a round's record to those of the same line.
func (m *material) take(r record.Record) {
	if sum := m.responses[r.Name]; sum != nil {
		sum.Merge(r.Response)
	} else {
		m.responses[r.Name] = r.Response
	}
	for _, w := range r.Warnings {
		if !strings.HasPrefix(w, "too few calls") { // then the metric is not there
			m.note(r.Name, w)
		}
	}
}

// note keeps a text on a line once. The text has all warnings of a line in one.
func (m *material) note(name, text string) {
	for _, known := range m.notes[name] {
		if strings.Contains(known, text) {
			return
		}
	}
	m.notes[name] = append(m.notes[name], text)
}

func (m *material) remarks() (list []string) {
	if m.strays > 0 {
		list = append(list, fmt.Sprintf("%d records of -results belong to no line of the text and are left out: are they of another run?", m.strays))
	}
	if len(m.others) > 0 {
		list = append(list, "not shown, since they are neither of calls nor of serializers: "+strings.Join(m.others, ", "))
	}
	return list
}

// offeredBy is the rate in calls/s at which the calls of a line were due; 0
// for a closed loop.
func offeredBy(l lines.Line) float64 {
	rate, _ := strconv.ParseFloat(l.Get("rate"), 64) // 0 for what is none
	return cmp.Or(l.Values["offered/s"], rate)
}

// frameworks are those of calls, in the order of the lines.
func (m *material) frameworks() (list []string) {
	for _, l := range slices.Concat(m.closed, m.open) {
		if name := frameworkOf(l.Name); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// frameworkOf is what a line is coloured by.
func frameworkOf(n lines.Name) string { return cmp.Or(n.Get("framework"), n.Base) }
