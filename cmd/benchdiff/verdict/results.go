package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// Results are the lines of one program, in the order of its turns.
type Results struct {
	File  string
	exact []string // units
	all   []lines.Line
	cases []lines.Name            // in the order of the file
	of    map[string][]lines.Line // by Name.Full, a line a turn
}

// Read reads a file. It refuses what cannot be judged: a file with a failed
// benchmark, a line that is broken or that an interrupt cut off, NaN or an infinity,
// a line with neither calls/s nor ns/op, no results, or results of several machines.
func Read(file string) (*Results, error) {
	data, err := regular.ReadFile(file, lines.Most)
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

func parse(file string, data []byte) (*Results, error) {
	if err := failure(file, data); err != nil {
		return nil, err
	}
	text, err := lines.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if text.Cut != "" {
		return nil, fmt.Errorf("%s: the run was interrupted or the file cut off in this line", text.Cut)
	}
	if err := lines.Repeats(text.Lines, func(l lines.Line) string { return l.Printed }, lines.Versions); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return results(file, text.Exact, text.Lines), nil
}

// results sorts lines by their rows: benchmarks, with the number of procs.
func results(file string, exact []string, all []lines.Line) *Results {
	r := &Results{File: file, all: all, exact: exact, of: map[string][]lines.Line{}}
	for _, l := range all {
		name := l.Name
		name.Full = l.Printed + strings.TrimPrefix(l.Row(), l.Full)
		if len(r.of[name.Full]) == 0 {
			r.cases = append(r.cases, name)
		}
		r.of[name.Full] = append(r.of[name.Full], l)
	}
	return r
}

// Together gives rows of their own to benchmarks of one name in several packages, in all
// files if one has several. Where each file has one, it may have been moved.
func Together(files ...*Results) (told []*Results) {
	var all []lines.Line
	for _, f := range files {
		for _, c := range f.cases {
			all = append(all, f.of[c.Full]...)
		}
	}
	all = lines.Rule{Fields: []lines.Field{lines.Package}, Side: func(l lines.Line) string { return l.File() }}.Apart(all)
	for _, f := range files {
		n := 0
		for _, list := range f.of {
			n += len(list)
		}
		own := results(f.File, f.exact, all[:n])
		own.all, all = f.all, all[n:]
		told = append(told, own)
	}
	return told
}

// failure finds what a run says that did not go well.
func failure(file string, text []byte) error {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "FAIL" || strings.HasPrefix(line, "FAIL\t") || strings.Contains(line, "--- FAIL: ") || strings.HasPrefix(line, "panic: ") {
			return fmt.Errorf("%s:%d: the run failed: %s", file, n, foreign.Line(line))
		}
	}
	return nil
}

// values returns the unit's values in the lines of a case that have it.
func (r *Results) values(name, unit string) (list []float64) {
	for _, l := range r.of[name] {
		if v, ok := l.Values[unit]; ok {
			list = append(list, v)
		}
	}
	return list
}

// always reports whether all lines of a case have the unit.
func (r *Results) always(name, unit string) bool {
	return len(r.values(name, unit)) == len(r.of[name])
}

// Turns is the number of turns from which all programs have all results. Fewer
// than were asked for is what an interrupt leaves.
func Turns(files ...*Results) int {
	files = Together(files...)
	least := len(files[0].all)
	for _, f := range files {
		for _, c := range union(files) {
			least = min(least, len(f.of[c.Full]))
		}
	}
	return least
}

// union are the cases of all files, in the order of the first that has them.
func union(files []*Results) (cases []lines.Name) {
	seen := map[string]bool{}
	for _, f := range files {
		for _, c := range f.cases {
			if !seen[c.Full] {
				cases = append(cases, c)
			}
			seen[c.Full] = true
		}
	}
	return cases
}

// First returns the results of the first n turns.
func (r *Results) First(n int) *Results {
	first := *r
	first.of = map[string][]lines.Line{}
	for name, list := range r.of {
		first.of[name] = list[:min(n, len(list))]
	}
	return &first
}

// allOf returns the lines of all files.
func allOf(files []*Results) (all []lines.Line) {
	for _, f := range files {
		all = append(all, f.all...)
	}
	return all
}

func distinct(list []float64) []float64 { return slices.Compact(slices.Sorted(slices.Values(list))) }
