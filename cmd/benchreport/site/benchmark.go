package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// benchmarkPage has the frameworks beside each other, by machine.
type benchmarkPage struct {
	head
	Name     string
	Machines []onMachine
}

type onMachine struct {
	Name   string
	Panels []panel
}

// panel is a case of all frameworks.
type panel struct {
	Name  string
	Study *study // that most rows are of
	Bars  bars
	Rows  []entry
	all   []entry // newest first
}

// entry is a case of a framework in a record: its newest release and its oldest there.
type entry struct {
	Framework, Page, Variant string
	Version, Raw, Oldest     string
	Study                    *study
	Other                    bool   // of another record than the panel's
	Times                    string // CPU of the newest against the oldest
	Beside                   string // reference, or beside: a program beside the versions

	panel, key string
	values     []float64 // medians of the newest, by column; NaN for none
	now, was   float64   // CPU
	rounds     []float64 // CPU of the newest
}

// columns of a panel.
var columns = []string{history.CPU, "client-cpu-ns/op", "server-cpu-ns/op", "p50-ns", "p99-ns", "calls/s", "allocs/op", "client-allocs/op", "server-allocs/op", "client-syscalls/op", "server-syscalls/op", "request-wire-B/op", "reply-wire-B/op", "binary-B"}

func (w *world) benchmark(b subject) benchmarkPage {
	p := benchmarkPage{head: w.head(b.Name+" of all frameworks", b.Page), Name: b.Name}
	for _, s := range w.studies { // newest first
		entries := w.entries(s, b.Name)
		if len(entries) == 0 {
			continue
		}
		at := slices.IndexFunc(p.Machines, func(m onMachine) bool { return m.Name == s.MachineName() })
		if at < 0 {
			at, p.Machines = len(p.Machines), append(p.Machines, onMachine{Name: s.MachineName()})
		}
		p.Machines[at].add(entries)
	}
	for i := range p.Machines {
		p.Machines[i].finish()
	}
	return p
}

// entries are all cases of a benchmark in a record.
func (w *world) entries(s *study, base string) (all []entry) {
	for _, list := range byCase(slices.Concat(s.series, s.beside)) {
		if list[0].Name.Base == base {
			all = append(all, w.entry(s, list))
		}
	}
	return all
}

// byCase splits series, which come by case, except that the reference may have a case of
// the versions' name again.
func byCase(all []history.Series) (cases [][]history.Series) {
	for i, one := range all {
		if i > 0 && one.Name.Full == all[i-1].Name.Full && one.Versions[0] == all[i-1].Versions[0] {
			cases[len(cases)-1] = append(cases[len(cases)-1], one)
		} else {
			cases = append(cases, []history.Series{one})
		}
	}
	return cases
}

func (w *world) entry(s *study, list []history.Series) entry {
	one := list[0]
	oldest, newest := one.Versions[0], one.Versions[len(one.Versions)-1]
	f := frameworkOf(one.Name)
	e := entry{
		Framework: f, Page: w.pageOf(s, f), Variant: variantOf(one.Name), Version: short(newest), Oldest: short(oldest),
		Raw: s.raw(one.Name.Full, newest), Study: s, panel: caseOf(one.Name), values: mediansOf(list),
	}
	switch {
	case newest == history.Reference:
		e.Beside, e.Page, e.Version = "reference", "", "at "+s.Reference
	case !slices.Contains(s.Versions, newest):
		e.Beside, e.Page, e.Version = "beside", "", "as here"
	}
	e.key = f + "\n" + e.Variant + "\n" + e.Beside
	e.setCPU(list)
	return e
}

func (e *entry) setCPU(list []history.Series) {
	cpu, has := unitOf(list, history.CPU)
	if !has {
		return
	}
	last := len(cpu.Versions) - 1
	e.rounds = cpu.Of(cpu.Versions[last])
	e.now, e.was = pairs.Median(e.rounds), pairs.Median(cpu.Of(cpu.Versions[0]))
	if last > 0 {
		e.Times = compared(pair(cpu, 0, last))
	}
}

func mediansOf(list []history.Series) (values []float64) {
	for _, unit := range columns {
		v := math.NaN()
		if one, has := unitOf(list, unit); has {
			v = pairs.Median(one.Of(one.Versions[len(one.Versions)-1]))
		}
		values = append(values, v)
	}
	return values
}

func (m *onMachine) add(entries []entry) {
	for _, e := range entries {
		at := slices.IndexFunc(m.Panels, func(p panel) bool { return p.Name == e.panel })
		if at < 0 {
			at, m.Panels = len(m.Panels), append(m.Panels, panel{Name: e.panel})
		}
		m.Panels[at].all = append(m.Panels[at].all, e)
	}
}

func (m *onMachine) finish() {
	slices.SortFunc(m.Panels, func(a, b panel) int { return cmp.Compare(a.Name, b.Name) })
	for i := range m.Panels {
		m.Panels[i].finish()
	}
}

// finish chooses the record with the most frameworks, of several the newest with enough
// rounds: what was measured side by side is compared first. Frameworks that it lacks follow,
// of their newest records that have enough. Rows are sorted by CPU, references last.
func (p *panel) finish() {
	p.Study = p.widest()
	slices.SortStableFunc(p.all, func(a, b entry) int {
		return cmp.Or(-compareBool(a.Study == p.Study, b.Study == p.Study), -compareBool(a.Study.enough(), b.Study.enough()))
	})
	for _, e := range p.all {
		e.Other = e.Study != p.Study
		known := slices.ContainsFunc(p.Rows, func(other entry) bool { return other.key == e.key })
		if !known && (!e.Other || e.Beside == "") {
			p.Rows = append(p.Rows, e)
		}
	}
	slices.SortStableFunc(p.Rows, func(a, b entry) int {
		return cmp.Or(compareBool(a.Other, b.Other), compareBool(a.Beside != "", b.Beside != ""), cmp.Compare(a.now, b.now), cmp.Compare(a.key, b.key))
	})
	p.Bars = bars{Title: "CPU of both sides, " + p.Name}
	for _, e := range p.Rows {
		if e.now > 0 && !e.Other {
			p.Bars.list = append(p.Bars.list, bar{e.Name() + " " + e.Span(), e.Name() + " " + e.Version, e.now, e.was, e.rounds})
		}
	}
}

func (p *panel) widest() (widest *study) {
	most := 0
	for _, e := range p.all {
		frameworks := map[string]bool{}
		for _, other := range p.all {
			if other.Study == e.Study && other.Beside == "" {
				frameworks[other.Framework] = true
			}
		}
		if n := len(frameworks); n > most || widest == nil || n == most && e.Study.enough() && !widest.enough() {
			widest, most = e.Study, n
		}
	}
	return widest
}

// Columns are those that some row has, with the unit of their figures.
func (p panel) Columns() (heads []string) {
	for i, unit := range columns {
		if m := p.largest(i); m > 0 {
			heads = append(heads, heading(unit, scaleOf(unit, m)))
		}
	}
	return heads
}

// Filled are the cells of a row in those columns.
func (p panel) Filled(e entry) (cells []string) {
	for i, unit := range columns {
		if m := p.largest(i); m > 0 {
			cells = append(cells, scaleOf(unit, m).cell(e.values[i]))
		}
	}
	return cells
}

// largest is the largest figure of a column; 0 if it has none.
func (p panel) largest(column int) (most float64) {
	for _, e := range p.Rows {
		if v := e.values[column]; v > most {
			most = v
		}
	}
	return most
}

// Name is the framework with its variant.
func (e entry) Name() string {
	if e.Variant == "" {
		return e.Framework
	}
	return fmt.Sprintf("%s (%s)", e.Framework, e.Variant)
}

// Span is the versions that the chart has.
func (e entry) Span() string {
	if e.Oldest == e.Version || e.Beside != "" {
		return e.Version
	}
	return e.Oldest + " → " + e.Version
}
