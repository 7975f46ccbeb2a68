package lines

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Note is why not to trust a line, or what its calls failed with.
type Note struct {
	Name string // of the line, as Name.Full
	Text string
}

// origin is where a note was printed.
type origin struct {
	file    string
	run     int    // as Line.Run
	printed string // the name that it has there, as Line.Printed if that has the number of procs
}

// told is a note at an origin.
type told struct {
	Note
	origin
}

// Rows has the lines of one name, by where they were printed. Of repeated lines it has the
// first.
type Rows struct{ of map[place][]Line }

// place is an origin, or all origins that differ in the parts marked as any.
type place struct {
	origin
	anyFile, anyRun, anyPrinted bool
}

// NewRows sorts lines of one name.
func NewRows(named []Line) Rows {
	r, known := Rows{map[place][]Line{}}, map[place]map[string]bool{}
	for _, l := range named {
		row, at := l.Row(), origin{l.File(), l.Run, l.Printed}
		for _, p := range at.places() {
			if known[p] == nil {
				known[p] = map[string]bool{}
			}
			if !known[p][row] {
				r.of[p], known[p][row] = append(r.of[p], l), true
			}
		}
	}
	return r
}

// places are all that an origin is in, from the one alone to the one of all.
func (o origin) places() (list []place) {
	for _, any := range [][3]bool{{}, {2: true}, {1: true}, {1: true, 2: true}, {0: true}, {0: true, 2: true}, {0: true, 1: true}, {true, true, true}} {
		p := place{o, any[0], any[1], any[2]}
		if p.anyFile {
			p.file = ""
		}
		if p.anyRun {
			p.run = 0
		}
		if p.anyPrinted {
			p.printed = ""
		}
		list = append(list, p)
	}
	return list
}

// Of returns the lines that a note is about: as far as is known those of the process that
// printed it, and of the number of procs that it says.
func (t *Text) Of(n Note, rows Rows) (list []Line) {
	known := map[place]bool{}
	for _, o := range t.origins[n] {
		all := o.places()
		i := slices.IndexFunc(all, func(p place) bool { return len(rows.of[p]) > 0 })
		if i >= 0 && !known[all[i]] {
			list, known[all[i]] = append(list, rows.of[all[i]]...), true
		}
	}
	if len(t.origins[n]) == 0 {
		return rows.of[place{anyFile: true, anyRun: true, anyPrinted: true}]
	}
	return list
}

// noted are the beginnings of lines that say something of a result.
var noted = []string{"# warning: ", "# failed calls: ", "--- FAIL: "}

// addNotes reads what benchmarks print after their lines. What is said in every round is
// kept once, with where it was said.
func (t *Text) addNotes(file string, data []byte) {
	at := origins(data)
	if t.origins == nil {
		t.origins, t.told = map[Note][]origin{}, map[told]bool{}
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		names, text := noteOf(strings.TrimSpace(line))
		for _, name := range names {
			name = foreign.Line(name)
			note, from := Note{ParseName(name).Full, foreign.Line(text)}, origin{file, at(n), name}
			if t.origins[note] == nil {
				t.Notes = append(t.Notes, note)
			}
			if !t.told[told{note, from}] {
				t.origins[note], t.told[told{note, from}] = append(t.origins[note], from), true
			}
		}
	}
}

// origins returns which process printed a note, by the number of its line. Some are printed
// behind the end of their process, before the next begins.
func origins(data []byte) func(n int) int {
	var of []int
	p, behind := processes(data), 0
	for i, line := range bytes.Split(data, []byte("\n")) {
		run, _ := slices.BinarySearch(p.begins, i+2)
		switch {
		case ended.Match(line):
			behind = 1
		case result.Match(line), setting.Match(line), unitLine.Match(line):
			behind = 0
		}
		of = append(of, max(run-behind, 0))
	}
	return func(n int) int { return of[n-1] }
}

// noteOf takes a line apart that says something of results; other lines have no names.
func noteOf(line string) (names []string, text string) {
	for _, begin := range noted {
		rest, ok := strings.CutPrefix(line, begin)
		if !ok {
			continue
		}
		name, text, _ := strings.Cut(rest, ": ")
		switch begin {
		case "# warning: ":
			names, text = namesOf(name, text)
			if !strings.HasPrefix(names[0], "BenchmarkLoad/") { // a server that is not the limit is not overloaded
				text = withoutOld(text)
			}
			if text == "" {
				return nil, ""
			}
			return names, text
		case "# failed calls: ":
			text = "failed calls: " + text
		case "--- FAIL: ":
			name, text = rest, "it failed and has no result"
		}
		return namesOf(name, text)
	}
	return nil, ""
}

// old are the beginnings of texts that earlier versions called warnings: which side was the
// limit, and of which percentiles there is no interval. They make no figure wrong.
var old = []string{
	"the client was the bottleneck: ", "the proxy was the bottleneck: ", "neither side was saturated by ",
	"latency fluctuates more slowly than the run is long: ",
}

// withoutOld leaves out what is no warning any more, of the warnings of a line in one text.
func withoutOld(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(text, "; "), IsOld), "; ")
}

// IsOld reports whether a text is no warning any more.
func IsOld(text string) bool {
	return slices.ContainsFunc(old, func(begin string) bool { return strings.HasPrefix(text, begin) })
}

var severalCases = regexp.MustCompile(`^\d+ cases$`)

// namesOf are the cases that a note is about: one that sums up several has their
// names behind its text.
func namesOf(name, text string) (names []string, _ string) {
	end := strings.LastIndex(text, ": Benchmark")
	if !severalCases.MatchString(name) || end < 0 {
		return []string{name}, text
	}
	return strings.Split(text[end+len(": "):], ", "), text[:end]
}
