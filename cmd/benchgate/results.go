package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// results are those of one file.
type results struct {
	file   string
	all    []lines.Line
	exact  []string       // units
	cases  []string       // in the order of the file
	lines  map[string]int // of each case
	values map[row][]float64
}

// row is what is compared: a unit of a case.
type row struct{ name, unit string }

// partKeys are the configuration lines that say which part of a machine ran.
var partKeys = []string{"pin", "clients", "client-procs", "server-procs"}

// readResults reads a file and refuses what cannot be judged.
func readResults(file string) (*results, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := failure(file, data); err != nil {
		return nil, err
	}
	text, err := lines.Parse(file, data)
	if err != nil {
		return nil, err
	}
	r := &results{file: file, all: text.Lines, exact: text.Exact, lines: map[string]int{}, values: map[row][]float64{}}
	for _, l := range text.Lines {
		r.add(l)
	}
	return r, nil
}

// failure finds what a run says that did not go well.
func failure(file string, text []byte) error {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "FAIL" || strings.HasPrefix(line, "FAIL\t") || strings.Contains(line, "--- FAIL: ") || strings.HasPrefix(line, "panic: ") {
			return fmt.Errorf("%s:%d: the run failed: %s", file, n, line)
		}
	}
	return nil
}

func (r *results) add(l lines.Line) {
	r.cases = union(r.cases, []string{l.Printed})
	r.lines[l.Printed]++
	for unit, value := range l.Values {
		key := row{l.Printed, unit}
		r.values[key] = append(r.values[key], value)
	}
}

// sameMachine refuses results of several.
func sameMachine(files []*results) error {
	var all []lines.Line
	for _, f := range files {
		all = append(all, f.all...)
	}
	return lines.SameMachine(all, partKeys...)
}

// union keeps the order of a, and then that of b.
func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a[:len(a):len(a)], s)
		}
	}
	return a
}
