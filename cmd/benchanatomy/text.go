package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
)

// width is how many columns a table has at most. A side of a benchmark that does not fit stands in
// a table below.
const width = 100

// text is what is printed.
type text struct {
	sides     []anatomy.Side
	labels    map[string]string // of the benchmarks
	functions int
	cost      string // of the profiler; "" if it is not known
}

func newText(sides []anatomy.Side, functions int) *text {
	var names []string
	for _, s := range sides {
		names = append(names, s.Name)
	}
	return &text{sides: sides, labels: anatomy.Labels(names), functions: functions}
}

// String is the whole text: a table of each side, and what must be known of them.
func (t *text) String() string {
	var b strings.Builder
	for _, side := range anatomy.Sides() {
		of := slices.DeleteFunc(slices.Clone(t.sides), func(s anatomy.Side) bool { return s.Side != side })
		for _, some := range t.fitting(of) {
			t.table(&b, some)
		}
	}
	for _, s := range t.sides {
		t.largest(&b, s)
	}
	t.notes(&b)
	return b.String()
}

// fitting cuts sides into tables that are not too wide.
func (t *text) fitting(sides []anatomy.Side) (tables [][]anatomy.Side) {
	room := 0
	for _, s := range sides {
		if room -= t.column(s); room < 0 {
			tables, room = append(tables, nil), width-labelWidth-t.column(s)
		}
		tables[len(tables)-1] = append(tables[len(tables)-1], s)
	}
	return tables
}

const (
	labelWidth = 12
	cellWidth  = 15
)

func (t *text) column(s anatomy.Side) int {
	return max(cellWidth, utf8.RuneCountInString(t.labels[s.Name])+2)
}

func (t *text) table(b *strings.Builder, sides []anatomy.Side) {
	fmt.Fprintf(b, "%s: CPU time of a call, µs ± 95 %%\n", sides[0].Side)
	t.line(b, "", sides, func(s anatomy.Side) string { return t.labels[s.Name] })
	for i, p := range sides[0].Parts {
		if slices.ContainsFunc(sides, func(s anatomy.Side) bool { return s.Parts[i].Samples > 0 }) {
			t.line(b, p.Part, sides, func(s anatomy.Side) string { return cell(s, s.Parts[i]) })
		}
	}
	t.line(b, "all", sides, func(s anatomy.Side) string { return fmt.Sprintf("%.2f       ", s.CPU/1000) })
	t.line(b, "by samples", sides, func(s anatomy.Side) string { return fmt.Sprintf("%.0f %%       ", 100*s.Covered) })
	t.line(b, "samples", sides, func(s anatomy.Side) string { return fmt.Sprintf("%d       ", s.Samples) })
	b.WriteString("\n")
}

func (t *text) line(b *strings.Builder, name string, sides []anatomy.Side, of func(anatomy.Side) string) {
	line := fmt.Sprintf("%-*s", labelWidth, name)
	for _, s := range sides {
		line += fmt.Sprintf("%*s", t.column(s), of(s))
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// cell has parentheses around what rests on few samples.
func cell(s anatomy.Side, r anatomy.Row) string {
	value := fmt.Sprintf("%.2f ±%.2f", r.NS/1000, r.HalfNS(s)/1000)
	if r.Few() {
		return "(" + value + ")"
	}
	return value + " "
}

// largest lists the largest functions of a side.
func (t *text) largest(b *strings.Builder, s anatomy.Side) {
	if t.functions == 0 {
		return
	}
	fmt.Fprintf(b, "%s, %s: the largest functions, with what they call\n", t.labels[s.Name], s.Side)
	for _, r := range s.Functions[:min(t.functions, len(s.Functions))] {
		fmt.Fprintf(b, "%*s  %4.1f %%  %-11s %s\n", cellWidth, cell(s, r), 100*r.Share, r.Part, r.Function)
	}
	b.WriteString("\n")
}

// notes are what must be known of the tables.
func (t *text) notes(b *strings.Builder) {
	b.WriteString("( ) rests on fewer than 100 samples. The interval is of a part's share of its side.\n")
	b.WriteString("The clock says how much CPU time there is; by samples is what their number alone says, in per cent of that.\n")
	if t.cost != "" {
		fmt.Fprintf(b, "The profiler costs %s of the CPU time of a call; rounds without it are shorter.\n", t.cost)
	}
	b.WriteString("What the kernel does for a connection in other threads, or on other CPUs, is in no part.\n")
	for _, s := range t.sides {
		for _, doubt := range doubts(s) {
			fmt.Fprintf(b, "warning: %s, %s: %s\n", t.labels[s.Name], s.Side, doubt)
		}
	}
}

// Bounds of what is told without a warning.
const (
	mostOff  = .10 // by which samples and clock differ
	mostRest = .03 // of a side that no part is known of
	enough   = 10 * anatomy.FewSamples
)

func doubts(s anatomy.Side) (list []string) {
	if off := s.Covered - 1; math.Abs(off) > mostOff {
		list = append(list, fmt.Sprintf("the samples are of %.0f %% of the CPU time by the clock: they may miss a part, or too few were taken", 100*s.Covered))
	}
	if s.Samples < enough {
		list = append(list, fmt.Sprintf("%d samples are few, and leave parts below a tenth uncertain: measure for longer", s.Samples))
	}
	rest := s.Parts[len(s.Parts)-1]
	if rest.Share > mostRest {
		of := slices.IndexFunc(s.Functions, func(r anatomy.Row) bool { return r.Part == rest.Part })
		list = append(list, fmt.Sprintf("%.1f %% is code that the table of parts does not know, most of it %s: see -part", 100*rest.Share, s.Functions[of].Function))
	}
	return list
}
