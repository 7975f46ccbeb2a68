// Package lines reads the text that benchmarks print: result lines with what
// is known of each, and refuses a text whose figures would mislead.
package lines

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// Line is one result line.
type Line struct {
	Name
	Printed string             // the name with the number of procs, if there is one
	Calls   int                // b.N: calls made, those that failed too
	Values  map[string]float64 // by unit as printed; each is finite
	Config  map[string]string  // the configuration lines that hold for it
	At      string             // its file and line, as in "out.txt:12"
	Run     int                // the process that printed it, of those in its file, from 1; 0 if none is known
}

// File is the name of the file that the line is in.
func (l *Line) File() string { return l.At[:max(strings.LastIndex(l.At, ":"), 0)] }

// Text is all that was read.
type Text struct {
	Lines   []Line // one at least, all of one machine
	Notes   []Note
	Skipped []string // what was not measured, and why
	Cut     string   // where the last line is that was cut off, as in "out.txt:12"; "" if none is
	Exact   []string // units of which every value counts (assume=exact), sorted
	origins map[Note][]Origin
}

// Note is why not to trust a line, or what its calls failed with.
type Note struct {
	Name string // of the line, as Name.Full
	Text string
}

// Origin is where a note was printed.
type Origin struct {
	File    string
	Run     int    // as Line.Run
	Printed string // the name that it has there, as Line.Printed if that has the number of procs
}

// Of returns the lines that a note is about: those of its name, as far as is known of the
// process that printed it, with the number of procs that it says.
func (t *Text) Of(n Note, named []Line) (list []Line) {
	for _, o := range t.origins[n] {
		list = append(list, o.narrow(named)...)
	}
	if len(t.origins[n]) == 0 {
		return named
	}
	return list
}

// narrow leaves lines of the process, and of the number of procs, if there are any.
func (o Origin) narrow(list []Line) []Line {
	for _, is := range []func(Line) bool{
		func(l Line) bool { return l.File() == o.File },
		func(l Line) bool { return l.Run == o.Run },
		func(l Line) bool { return l.Printed == o.Printed },
	} {
		fits := slices.DeleteFunc(slices.Clone(list), func(l Line) bool { return !is(l) })
		if len(fits) > 0 {
			list = fits
		}
	}
	return list
}

// Read reads files, one at least, as one text. The error names file and line.
func Read(files []string) (*Text, error) {
	t := &Text{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := t.add(file, data); err != nil {
			return nil, err
		}
	}
	return t, SameMachine(t.Lines)
}

// Parse reads a text, which errors call by name.
func Parse(name string, data []byte) (*Text, error) {
	t := &Text{}
	if err := t.add(name, data); err != nil {
		return nil, err
	}
	return t, SameMachine(t.Lines)
}

func (t *Text) add(file string, data []byte) error {
	before := len(t.Lines)
	cut, data := t.withoutCut(file, uncommented(data))
	units, err := t.scan(file, data)
	switch {
	case err != nil:
		return err
	case len(t.Lines) == before && cut:
		return fmt.Errorf("%s: no result lines but one that was cut off, at %s", file, t.Cut)
	case len(t.Lines) == before:
		return fmt.Errorf("%s: no result lines; -bench may match nothing", file)
	}
	t.addNotes(file, data)
	t.addSkipped(data)
	t.addExact(t.Lines[before:], units)
	return nil
}

// scan adds the result lines, and returns what is said of their units.
func (t *Text) scan(file string, data []byte) (benchfmt.UnitMetadataMap, error) {
	read, err := withoutLong(file, data)
	if err != nil {
		return nil, err
	}
	reader := benchfmt.NewReader(bytes.NewReader(read), file)
	ends, split := processes(data), bytes.SplitAfter(data, []byte("\n"))
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			err = t.addBroken(r, split)
		case *benchfmt.Result:
			err = t.addLine(r, ends)
		}
		if err != nil {
			return nil, err
		}
	}
	return reader.Units(), reader.Err()
}

// addBroken takes a line that an interrupt has cut off, and refuses others.
func (t *Text) addBroken(r *benchfmt.SyntaxError, split [][]byte) error {
	name := interrupted(split, r.Line)
	if name == "" {
		return fmt.Errorf("%s:%d: not a result line: %s; something else may have been printed into it", r.FileName, r.Line, foreign.Line(r.Msg))
	}
	t.Cut = fmt.Sprintf("%s:%d", r.FileName, r.Line)
	t.Notes = append(t.Notes, Note{ParseName(foreign.Line(name)).Full, "an interrupt cut off a line of it"})
	return nil
}

func (t *Text) addLine(r *benchfmt.Result, ends printed) error {
	line, err := newLine(r)
	if err != nil {
		return err
	}
	ends.forget(line.Config, r)
	line.Run = ends.run(r)
	t.Lines = append(t.Lines, line)
	return nil
}

// interrupted is the name in a line that an interrupt has cut off: nothing comes
// after the name in this line, and in the next nothing or what is said of the
// interrupt. For other lines it is "".
func interrupted(split [][]byte, number int) (name string) {
	fields := bytes.Fields(split[number-1])
	ended := number == len(split) || len(split[number]) == 0 || bytes.HasPrefix(split[number], []byte("# interrupted "))
	if !ended || len(fields) != 1 {
		return ""
	}
	return string(fields[0])
}

// left are the beginnings of lines that say what was not measured: by a benchmark, before its
// lines in every round, and by a record of versions.
var left = regexp.MustCompile(`^# (?:skipped: |refused )(.*)`)

// addSkipped reads what was not measured.
func (t *Text) addSkipped(data []byte) {
	known := map[string]bool{}
	for _, why := range t.Skipped {
		known[why] = true
	}
	for line := range strings.Lines(string(data)) {
		found := left.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			continue
		}
		if why := foreign.Line(found[1]); !known[why] {
			t.Skipped, known[why] = append(t.Skipped, why), true
		}
	}
}

// addExact asks for all units of the lines, since it is by tidied ones that
// benchfmt knows them.
func (t *Text) addExact(list []Line, units benchfmt.UnitMetadataMap) {
	for _, l := range list {
		for unit := range l.Values {
			_, tidied := benchunit.Tidy(1, unit)
			if units.GetAssumption(tidied) == benchmath.AssumeExact {
				t.Exact = append(t.Exact, unit)
			}
		}
	}
	slices.Sort(t.Exact)
	t.Exact = slices.Compact(t.Exact)
}

// newLine copies r, which the reader uses again.
func newLine(r *benchfmt.Result) (Line, error) {
	file, n := r.Pos()
	printed := "Benchmark" + r.Name.String()
	l := Line{
		Name: ParseName(printed), Printed: printed, Calls: r.Iters, Values: map[string]float64{}, Config: map[string]string{},
		At: fmt.Sprintf("%s:%d", file, n),
	}
	for _, c := range r.Config {
		l.Config[foreign.Line(c.Key)] = foreign.Line(string(c.Value))
	}
	if shown := foreign.Line(printed); shown != printed { // testing prints no such name
		return l, fmt.Errorf("%s: %s: no name has such characters", l.At, shown)
	}
	if l.Calls < 1 {
		return l, fmt.Errorf("%s: %s has %d calls, which is no measurement", l.At, l.Full, l.Calls)
	}
	return l, l.read(r.Values)
}

// read takes the values of a line, each of a unit of its own.
func (l *Line) read(values []benchfmt.Value) error {
	for _, v := range values {
		if v.OrigUnit != "" { // as it was printed
			v.Value, v.Unit = v.OrigValue, v.OrigUnit
		}
		if !(0 <= v.Value && v.Value <= most) { // NaN is neither
			return fmt.Errorf("%s: %s has %v %s, which is no measurement", l.At, l.Full, v.Value, foreign.Line(v.Unit))
		}
		if _, twice := l.Values[v.Unit]; twice {
			return fmt.Errorf("%s: %s has two values of %s", l.At, l.Full, foreign.Line(v.Unit))
		}
		l.Values[v.Unit] = v.Value
	}
	if !l.Timed() && !l.onlyCounts() && !l.ofProgram() {
		return fmt.Errorf("%s: %s has neither calls/s nor ns/op: one of them must be there", l.At, l.Full)
	}
	return nil
}

// Timed reports whether a line says how long calls took. One that does not only has
// counts, such as allocations of a call.
func (l *Line) Timed() bool {
	_, rate := l.Values["calls/s"]
	_, time := l.Values["ns/op"]
	return rate || time
}

// ofProgram reports whether a line is of a program rather than of calls: of its start, or
// of clients whose server was restarted.
func (l *Line) ofProgram() bool {
	_, start := l.Values["first-reply-ns"]
	_, restart := l.Values["reconnects"]
	return start || restart
}

// onlyCounts reports whether a line has counts of a call, and no times.
func (l *Line) onlyCounts() (some bool) {
	for unit := range l.Values {
		if strings.HasSuffix(unit, "-ns") || strings.HasSuffix(unit, "-ns/op") {
			return false
		}
		some = some || strings.HasSuffix(unit, "/op")
	}
	return some
}

// most is more than any figure: 3,000 years in ns.
const most = 1e20

// machine are the configuration lines that tell machines apart; a line that lacks
// one is of any.
var machine = []string{"goos", "goarch", "cpu"}

// SameMachine says which line was measured on another machine than one before,
// or with another value of one of the keys.
func SameMachine(list []Line, keys ...string) error {
	for _, key := range slices.Concat(machine, keys) {
		with := slices.DeleteFunc(slices.Clone(list), func(l Line) bool { return l.Config[key] == "" })
		if i := slices.IndexFunc(with, func(l Line) bool { return l.Config[key] != with[0].Config[key] }); i > 0 {
			return fmt.Errorf("%s: the figures of two machines cannot be mixed", Difference{Trait{Key: key}, with[i], with[0]})
		}
	}
	return nil
}

// noted are the beginnings of lines that say something of a result.
var noted = []string{"# warning: ", "# failed calls: ", "--- FAIL: "}

// addNotes reads what benchmarks print after their lines. What is said in every round is
// kept once, with where it was said.
func (t *Text) addNotes(file string, data []byte) {
	at := origins(data)
	if t.origins == nil {
		t.origins = map[Note][]Origin{}
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		names, text := noteOf(strings.TrimSpace(line))
		for _, name := range names {
			name = foreign.Line(name)
			note, from := Note{ParseName(name).Full, foreign.Line(text)}, Origin{file, at(n), name}
			if t.origins[note] == nil {
				t.Notes = append(t.Notes, note)
			}
			if !slices.Contains(t.origins[note], from) {
				t.origins[note] = append(t.origins[note], from)
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
		case "# failed calls: ":
			text = "failed calls: " + text
		case "--- FAIL: ":
			name, text = rest, "it failed and has no result"
		}
		return namesOf(name, text)
	}
	return nil, ""
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
