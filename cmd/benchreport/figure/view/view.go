// Package view says how benchmarks are shown: each in a file of its own, that nothing else
// knows but a line of All.
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

// View is how a benchmark is shown. Every field may be empty.
type View struct {
	// Kind says which lines are the benchmark's. Lines of calls stand in tables of calls;
	// others have a machine and a date of their own.
	material.Kind
	// Title and Why say that there are no lines, where no section does; "" for nothing.
	Title, Why string
	// Axis is what its tables are made over, and sections that say no axis.
	Axis material.Axis
	// Sections are charts of the benchmark alone.
	Sections []draw.Section
	// Readme says that its panels can be tables of a README.
	Readme bool
	// Shared are the sections over several benchmarks in which it has panels.
	Shared []Question
	// Large says that calls carry large payloads: in some shared sections their panels
	// stand behind those of other benchmarks.
	Large bool
	// Columns are further ones of a table of calls.
	Columns []draw.Column
	// Crossed are axes over which a table of calls has columns.
	Crossed []draw.Across
	// Costs makes tables of the CPU time of a call.
	Costs func(m *material.Material, k *material.Kind) []table.Cost
	// Table makes the table of a panel of lines that are not of calls.
	Table func(g *material.Group) table.Table
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
	for _, g := range m.Group(of, v.Axis) {
		switch {
		case v.Calls:
			list = append(list, draw.Calls(m, g, v.Axis, v.Columns...))
		case v.Serializers:
			list = append(list, v.Table(g))
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
