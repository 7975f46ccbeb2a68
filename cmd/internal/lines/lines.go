// Package lines reads the text that benchmarks print: result lines with what
// is known of each, and refuses a text whose figures would mislead.
package lines

import (
	"bytes"
	"fmt"
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
	Config  map[string]string  // the configuration lines that hold for it; lines may share the map
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
	Samples []string // what is told of messages of a user's own, as in "json refuses Order: no maps"
	Cut     string   // where the last line is that was cut off, as in "out.txt:12"; "" if none is
	Exact   []string // units of which every value counts (assume=exact), sorted
	origins map[Note][]origin
	told    map[told]bool
}

// Read reads files, one at least, as one text. The error names file and line.
func Read(files []string) (*Text, error) {
	t := &Text{}
	for _, file := range files {
		data, err := ReadFile(file)
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
	data, err := Understood(file, data)
	if err != nil {
		return err
	}
	before := len(t.Lines)
	cut, data := t.withoutCut(file, uncommented(data))
	units, err := t.scan(file, data)
	switch {
	case err != nil:
		return err
	case len(t.Lines) == before && cut:
		return fmt.Errorf("%s: no result lines but one that was cut off, at %s", file, t.Cut)
	case len(t.Lines) == before:
		return fmt.Errorf("%s: %s", file, without(data))
	}
	t.addNotes(file, data)
	t.addSkipped(data)
	t.addSamples(data)
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
	c, split := configs{ends: processes(data)}, bytes.SplitAfter(data, []byte("\n"))
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			err = t.addBroken(r, split)
		case *benchfmt.Result:
			err = t.addLine(r, &c)
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

func (t *Text) addLine(r *benchfmt.Result, c *configs) error {
	line, err := newLine(r)
	if err != nil {
		return err
	}
	if line.Config, line.Run, err = c.of(r); err != nil {
		return fmt.Errorf("%s: %w", line.At, err)
	}
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
	t.Skipped = matched(t.Skipped, data, left, "$1")
}

// These are lines about messages of a user's own, of the suite of serializers in every
// round: which of these refuses them or loses something, and what the messages lack.
var (
	refusals = regexp.MustCompile(`^# refuses: msg=([^ ]+): ([^ ]+): (.*)`)
	losses   = regexp.MustCompile(`^# loses: msg=([^ ]+): ([^ ]+): (.*)`)
	samples  = regexp.MustCompile(`^# (samples: .*)`)
)

// addSamples reads what is told of messages of a user's own.
func (t *Text) addSamples(data []byte) {
	t.Samples = matched(t.Samples, data, refusals, "$2 refuses $1: $3")
	t.Samples = matched(t.Samples, data, losses, "$2 loses of $1: $3")
	t.Samples = matched(t.Samples, data, samples, "$1")
}

// matched adds to list what the template makes of each line that a pattern matches, once.
func matched(list []string, data []byte, pattern *regexp.Regexp, template string) []string {
	known := map[string]bool{}
	for _, text := range list {
		known[text] = true
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		at := pattern.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		if text := foreign.Line(string(pattern.ExpandString(nil, template, line, at))); !known[text] {
			list, known[text] = append(list, text), true
		}
	}
	return list
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

// newLine copies r, which the reader uses again, but for its configuration.
func newLine(r *benchfmt.Result) (Line, error) {
	file, n := r.Pos()
	printed := "Benchmark" + r.Name.String()
	l := Line{
		Name: ParseName(printed), Printed: printed, Calls: r.Iters, Values: map[string]float64{},
		At: fmt.Sprintf("%s:%d", file, n),
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
