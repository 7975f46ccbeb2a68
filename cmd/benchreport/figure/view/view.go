// Package view says how benchmarks are shown in a report. Each is a file of its own, with a
// function that All calls; nothing else knows it. To show another benchmark, write its file,
// with a Kind that takes its lines, and add it to All.
package view

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// View is how a benchmark is shown. It needs a Kind with Is; all other fields may be empty.
type View struct {
	// Kind says which lines are the benchmark's. Lines of calls stand in tables of calls;
	// others have a machine and a date of their own.
	material.Kind
	// Title and Why are what a report lists as absent if no line is of this kind; an empty Why
	// lists nothing. Sections have a Why of their own.
	Title, Why string
	// Axis is what tables are made over, and sections without an axis of their own.
	Axis material.Axis
	// Sections are charts of this benchmark alone.
	Sections []draw.Section
	// Ranked says that frameworks are ranked by its lines.
	Ranked bool
	// Counts says that its lines are of what a call has besides time.
	Counts bool
	// Shared lists the sections over several benchmarks in which it has panels.
	Shared []Question
	// Large says that calls carry large payloads: in some shared sections their panels
	// stand behind those of other benchmarks.
	Large bool
	// Columns are added to its tables of calls.
	Columns []draw.Column
	// Crossed are further tables of calls, whose columns are the points of an axis.
	Crossed []draw.Across
	// Costs makes tables of the CPU time of a call.
	Costs func(m *material.Material, k *material.Kind) []table.Cost
	// Table makes the table of a panel of lines that are not of calls; nil makes none.
	Table func(g *material.Group) table.Table
	// Explains makes further tables, of calls, which explain its sections. Of lines that can have none
	// it says why; nil makes none.
	Explains func(m *material.Material, k *material.Kind) (list []table.Table, why string)
	// Serializers says that the tables are of serializers, which stand apart.
	Serializers bool
}

// Kinds returns the kinds of views, in their order.
func Kinds(views []*View) *material.Kinds {
	var list []*material.Kind
	for _, v := range views {
		list = append(list, &v.Kind)
	}
	return material.NewKinds(list)
}

// OwnFacts reports whether its tables have a machine and a date of their own.
func (v *View) OwnFacts() bool { return !v.Calls && !v.Serializers }

// Charts draws a section of the benchmark alone.
func (v *View) Charts(m *material.Material, s draw.Section) chart.Section {
	return s.Charts(m, v.part(m, s))
}

// part is the benchmark's lines over the axis of a section.
func (v *View) part(m *material.Material, s draw.Section) draw.Part {
	p := draw.Part{Lines: m.Of(&v.Kind), Axis: v.Axis}
	if s.Axis != nil {
		p.Axis = *s.Axis
	}
	return p
}

// SharedCharts draws a section over several benchmarks. Over an axis of the section, panels of
// large payloads stand last.
func SharedCharts(m *material.Material, views []*View, s draw.Section) chart.Section {
	var parts, large []draw.Part
	for _, v := range views {
		switch {
		case !slices.Contains(v.Shared, Question(s.ID)):
		case v.Large && s.Axis != nil:
			large = append(large, v.part(m, s))
		default:
			parts = append(parts, v.part(m, s))
		}
	}
	return s.Charts(m, append(parts, large...)...)
}

// Tables has one for each panel.
func (v *View) Tables(m *material.Material) (list []table.Table) {
	of := m.Of(&v.Kind)
	var cpu []draw.Column
	if slices.Contains(v.Shared, CPU) {
		cpu = draw.CPU()
	}
	for _, g := range m.Group(of, v.Axis) {
		switch {
		case v.Calls:
			list = append(list, draw.Calls(m, g, v.Axis, cpu, v.Columns))
		case v.Table == nil:
		default:
			t := v.Table(g)
			t.Measured = fact.Measured(of)
			list = append(list, t)
		}
	}
	return list
}

// CrossTables makes the tables whose columns are the points of an axis.
func (v *View) CrossTables(m *material.Material) (list []table.Table) {
	for _, a := range v.Crossed {
		list = append(list, a.Tables(m, m.Of(&v.Kind))...)
	}
	return list
}

// has reports whether a line has a value of the unit.
func has(l lines.Line, unit string) bool {
	_, ok := l.Values[unit]
	return ok
}
