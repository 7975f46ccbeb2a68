package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// printLines prints the lines as a benchmark would, each with its comments.
func printLines(w io.Writer, lines []line) error {
	var text strings.Builder
	text.WriteString(unitLines(lines))
	fmt.Fprintf(&text, "# run %s, started %s\n", foreign.Line(lines[0].record.RunName), lines[0].record.Start.UTC().Format("2006-01-02 15:04:05.000 UTC"))
	var config map[string]string // the configuration printed so far
	for _, l := range lines {
		r := l.record
		printConfig(&text, config, r.Config)
		config = r.Config
		fmt.Fprintln(&text, loadbench.Line(r.Benchmark, r.Result.Sent, r.Metrics))
		for _, note := range slices.Concat(l.notes, comments(r.Result)) {
			fmt.Fprintf(&text, "# %s: %s\n", r.Benchmark, foreign.Line(note))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// unitLines tell benchstat about the units that the lines have.
func unitLines(lines []line) (text string) {
	for unit := range strings.Lines(loadbench.UnitLines()) {
		name := strings.Fields(unit)[1] // as in "Unit p99-ns better=lower"
		if slices.ContainsFunc(lines, func(l line) bool { _, has := l.record.Metrics[name]; return has }) {
			text += unit
		}
	}
	return text
}

// printConfig prints what changes from one line to the next. A key without a value
// is no longer set.
func printConfig(w io.Writer, from, to map[string]string) {
	both := maps.Clone(to)
	maps.Copy(both, from)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if from[key] != to[key] {
			fmt.Fprintln(w, strings.TrimSpace(key+": "+foreign.Line(to[key])))
		}
	}
}

// comments are the warnings of a result, each once, and its failures.
func comments(res *loadgen.Result) (list []string) {
	for _, w := range loadbench.OfLine(res.Warnings) {
		if !slices.Contains(list, w.Error()) {
			list = append(list, w.Error())
		}
	}
	if res.Failed > 0 {
		list = append(list, res.Failures())
	}
	return list
}
