package history

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/folder"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Record is one that was read: its rounds that are complete, and what its heading says.
type Record struct {
	File      string
	Run       time.Time
	Kind      string // OfVersions or OfCommits
	Module    string // empty if the versions are of several modules, or are commits
	Commit    string
	Reference string
	Rounds    int      // planned
	Done      int      // complete; all lines are of these
	Versions  []string // oldest first
	Arguments []string
	Refused   []Refusal
	// Machine has the configuration lines that all processes of the first round share,
	// by key: cpu, kernel, go and others.
	Machine map[string]string
	// Adapters has the directory of the adapter that each version was measured with.
	Adapters map[string]string
	// Lines are the result lines, in the order of the file; Line.Config has version and
	// round.
	Lines []lines.Line
	// Notes say why not to trust a case of a version.
	Notes []Note
	// Exact are the units of which every value counts.
	Exact []string
	// Half is the number of bytes behind the last complete round, which are left out.
	Half int
}

// Note is what a process said of a case: a warning, or why its calls failed.
type Note struct {
	Version, Case, Text string
	Rounds              int // in how many it was said
}

// Left is a file that is left out, and why.
type Left struct {
	File, Why string
	Others    bool // it, and more files as Why says, are no records by their names
}

// Unread is a file that the error of Read is about.
func Unread(file string, err error) Left {
	why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), file+": "), file+" ")
	return Left{File: file, Why: foreign.Line(why)}
}

// Read reads a record. The error says what is wrong with the file, by its name.
func Read(file string) (*Record, error) {
	s, err := readStored(file)
	if err != nil {
		return nil, err
	}
	text, err := lines.Parse(file, s.text)
	if err != nil {
		return nil, err
	}
	h := s.heading
	r := &Record{
		File: file, Run: h.Run, Kind: h.Kind, Module: h.Module, Commit: h.Commit, Reference: h.Reference,
		Rounds: h.Rounds, Done: s.done, Versions: h.Versions, Arguments: h.Arguments, Refused: h.Refused,
		Machine: map[string]string{}, Adapters: map[string]string{}, Lines: text.Lines, Exact: text.Exact, Half: s.half,
	}
	for key, value := range s.shared {
		r.Machine[foreign.Line(strings.TrimPrefix(key, "# "))] = foreign.Line(value)
	}
	r.Notes = notes(s.text)
	if err := r.check(); err != nil {
		return r, err
	}
	r.tellApart()
	return r, nil
}

// tellApart gives lines of one name that differ in procs, or in packages of one version,
// names of their own, and what was noted of them to each.
func (r *Record) tellApart() {
	told, of := rows(r.Lines), map[[2]string][]string{}
	for i, l := range told {
		at := [2]string{versionOf(l), r.Lines[i].Full}
		if !slices.Contains(of[at], l.Full) {
			of[at] = append(of[at], l.Full)
		}
	}
	var notes []Note
	for _, n := range r.Notes {
		cases := of[[2]string{n.Version, n.Case}]
		if len(cases) == 0 {
			notes = append(notes, n)
		}
		for _, n.Case = range cases {
			notes = append(notes, n)
		}
	}
	r.Lines, r.Notes = told, notes
}

// check refuses lines that the writer does not write.
func (r *Record) check() error {
	for _, l := range r.Lines {
		version, round := l.Config["version"], l.Config["round"]
		n, err := strconv.Atoi(round)
		switch {
		case version == "":
			return fmt.Errorf("%s: %s has no version", l.At, l.Full)
		case err != nil || n < 1 || n > r.Done:
			return fmt.Errorf("%s: %s is of round %q, and the record has %d", l.At, l.Full, round, r.Done)
		}
		if a := l.Config["adapter"]; a != "" {
			r.Adapters[version] = a
		}
	}
	if !slices.ContainsFunc(r.Lines, func(l lines.Line) bool { return slices.Contains(r.Versions, l.Config["version"]) }) {
		return fmt.Errorf("%s: no version has a result", r.File)
	}
	if err := lines.SameMachine(r.Lines, "kernel", "go"); err != nil {
		return err
	}
	if err := repeats(r.Lines); err != nil {
		return fmt.Errorf("%s: %w", r.File, err)
	}
	return nil
}

// Conditions are what tells each record from the others beside its machine: procs, pin,
// settings and what else describes the machine. Records that have them in common, and the
// machine, may be compared over time; "" if they differ in nothing.
func Conditions(records []*Record) (words []string) {
	var all []lines.Line
	firsts := make([][]lines.Line, len(records))
	for i, r := range records {
		firsts[i] = slices.DeleteFunc(slices.Clone(r.Lines), func(l lines.Line) bool { return l.Config["round"] != "1" })
		all = append(all, firsts[i]...)
	}
	differ := lines.Rule{Fields: []lines.Field{lines.Procs, lines.Pin, lines.Host, lines.Setup}}.Differences(all)
	for i := range records {
		var own []string
		for _, d := range differ {
			if values := d.Trait.Values(firsts[i]); len(values) > 0 {
				own = append(own, d.Word(strings.Join(slices.Sorted(slices.Values(values)), " and ")))
			}
		}
		words = append(words, strings.Join(own, ", "))
	}
	return words
}

// ErrApart is the cause if lines of one case, of one version or several, were measured
// otherwise.
var ErrApart = errors.New("a record is of one pin, machine and setup")

// repeats refuses lines that a series would take for repeats of each other, or for those of
// another version, and that differ in more than it compares.
func repeats(list []lines.Line) error {
	rule := lines.Rule{Fields: []lines.Field{lines.Pin, lines.Host, lines.Versions, lines.Setup}, Side: versionOf}
	if err := rule.Repeats(rows(list), func(l lines.Line) string { return l.Full }); err != nil {
		return fmt.Errorf("%w: %w", ErrApart, err)
	}
	return nil
}

// rows are lines of which those of one name are a case. Lines that differ in procs are two
// cases, and so are those of two packages, if a version has both: adapters of its own that
// a version needs are no other case.
func rows(list []lines.Line) []lines.Line {
	list = lines.Rule{Fields: []lines.Field{lines.Procs, lines.Package}, Side: versionOf}.Apart(list)
	for i, l := range list {
		list[i].Full = l.Row()
	}
	return list
}

func versionOf(l lines.Line) string { return l.Config["version"] }

// Agree says in which way versions differ that a record of them would be refused for, by
// what their processes print before anything is measured.
func Agree(processes []Process) error {
	var all []lines.Line
	for _, p := range processes {
		text, err := lines.Parse(p.Version, p.Output)
		if err != nil { // it has no result, as the rounds will say
			continue
		}
		for _, l := range text.Lines {
			l.Config["version"] = p.Version
			all = append(all, l)
		}
	}
	return repeats(all)
}

// ReadDir reads all records of directories, sorted by the time of their runs. A file
// that cannot be read is left out, and so are files of others, which are told in one Left. The
// error is of a directory.
func ReadDir(dirs ...string) (records []*Record, left []Left, err error) {
	for _, dir := range dirs {
		files, others, err := folder.Files(dir, extension)
		if err != nil {
			return nil, nil, err
		}
		if others.Number > 0 {
			left = append(left, Left{others.One, others.Why("records"), true})
		}
		for _, file := range files {
			if r, err := Read(file); err == nil {
				records = append(records, r)
			} else {
				left = append(left, Unread(file, err))
			}
		}
	}
	slices.SortStableFunc(records, func(a, b *Record) int { return cmp.Or(a.Run.Compare(b.Run), strings.Compare(a.File, b.File)) })
	return records, left, nil
}

// notes reads what each version said of its cases. Package lines gives the notes of all
// processes together; which version a warning is of matters here.
func notes(text []byte) (list []Note) {
	at := map[Note]int{}
	for _, p := range byProcess(text) {
		parsed, err := lines.Parse(p.version, append([]byte(anyLine), p.text...))
		if err != nil { // the whole text was read, so this one can be
			continue
		}
		for _, n := range parsed.Notes {
			note := Note{Version: p.version, Case: n.Name, Text: n.Text}
			i, known := at[note]
			if !known {
				i = len(list)
				at[note], list = i, append(list, note)
			}
			list[i].Rounds++
		}
	}
	return list
}

// anyLine makes a text of notes one that has a result.
const anyLine = "BenchmarkNone 1 1 ns/op\n"

type process struct {
	version string
	text    []byte
}

// byProcess has of each process of a record the lines with #.
func byProcess(text []byte) (list []process) {
	for l := range strings.Lines(string(text)) {
		version, found := strings.CutPrefix(l, "version: ")
		switch {
		case found:
			list = append(list, process{version: foreign.Line(strings.TrimSpace(version))})
		case len(list) > 0 && (strings.HasPrefix(l, "# ") || strings.HasPrefix(l, "--- FAIL: ")):
			last := &list[len(list)-1]
			last.text = append(last.text, l...)
		}
	}
	return list
}

// byCase groups lines by what they measure.
func byCase(list []lines.Line) (cases []string, of map[string][]lines.Line) {
	of = map[string][]lines.Line{}
	for _, l := range list {
		of[l.Full] = append(of[l.Full], l)
	}
	return slices.Sorted(maps.Keys(of)), of
}
