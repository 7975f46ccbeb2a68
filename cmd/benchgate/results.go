package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// results are those of one file.
type results struct {
	file    string
	cases   []string       // in the order of the file
	lines   map[string]int // of each case
	units   []string       // in the order of the file, as benchunit tidies them
	values  map[row][]float64
	exact   func(unit string) bool
	machine string // of all results
	where   string // the machine was found
}

// row is what is compared: a unit of a case.
type row struct{ name, unit string }

// machineKeys are the configuration lines that say which machine ran, and
// which part of it.
var machineKeys = []string{"goos", "goarch", "cpu", "pin", "clients", "client-procs", "server-procs"}

// readResults reads a file's text and refuses what cannot be judged.
func readResults(file string, text []byte) (*results, error) {
	if err := failure(file, text); err != nil {
		return nil, err
	}
	reader := benchfmt.NewReader(bytes.NewReader(text), file)
	r := &results{file: file, lines: map[string]int{}, values: map[row][]float64{}}
	r.exact = func(unit string) bool { return reader.Units().GetAssumption(unit) == benchmath.AssumeExact }
	for reader.Scan() {
		if err := r.add(reader.Result()); err != nil {
			return nil, err
		}
	}
	if len(r.cases) == 0 && reader.Err() == nil {
		return nil, fmt.Errorf("%s: no result lines; -bench may match nothing", file)
	}
	return r, reader.Err()
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

func (r *results) add(rec benchfmt.Record) error {
	file, line := rec.Pos()
	where := fmt.Sprintf("%s:%d", file, line)
	if broken, is := rec.(*benchfmt.SyntaxError); is {
		return fmt.Errorf("%s: not a result: %s; something else may have been printed into the line", where, broken.Msg)
	}
	res, is := rec.(*benchfmt.Result)
	if !is {
		return nil // a unit's direction
	}
	if err := r.checkMachine(where, machineOf(res)); err != nil {
		return err
	}
	return r.addValues(where, "Benchmark"+res.Name.String(), res.Values)
}

func (r *results) addValues(where, name string, values []benchfmt.Value) error {
	for _, v := range values {
		_, unit := benchunit.Tidy(1, v.Unit) // benchfmt leaves that of zeros
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("%s: %s has %v %s, which is no measurement", where, name, v.Value, unit)
		}
		r.units = union(r.units, []string{unit})
		r.values[row{name, unit}] = append(r.values[row{name, unit}], v.Value)
	}
	r.cases = union(r.cases, []string{name})
	r.lines[name]++
	if r.lines[name] != max(len(r.values[row{name, "calls/s"}]), len(r.values[row{name, "sec/op"}])) {
		return fmt.Errorf("%s: %s has neither calls/s nor ns/op", where, name)
	}
	return nil
}

func machineOf(res *benchfmt.Result) string {
	var list []string
	for _, key := range machineKeys {
		if value := res.GetConfig(key); value != "" {
			list = append(list, key+": "+value)
		}
	}
	return strings.Join(list, ", ")
}

// checkMachine refuses results of another machine than the first.
func (r *results) checkMachine(where, machine string) error {
	if r.where == "" {
		r.machine, r.where = machine, where
	}
	if machine != r.machine {
		return fmt.Errorf("%s: the machine is %q, but %q at %s: they cannot be compared", where, machine, r.machine, r.where)
	}
	return nil
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
