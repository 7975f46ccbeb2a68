package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/parts"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
)

// anatomy shows the parts of a call's CPU time. Their lines have the names of benchmarks of
// calls, so they are asked first.
func anatomy() *View {
	const id = "anatomy"
	return &View{
		Kind: material.Kind{Is: parts.Is, Parts: true},
		Axis: parts.Axis(),
		Sections: []draw.Section{{
			ID: id, Title: "Where the CPU time of a call goes",
			Note:    "A bar for each side of a call, of the parts of its CPU time by samples of a profile. Parts below 2 % of a side are summed as other parts; the table has them.",
			Metrics: []material.Metric{draw.Unit(id, "CPU time of a call", "ns", "ns/op")},
			Chart:   parts.Chart,
			Why:     "no lines with part=: run make anatomy and give its text as well",
		}},
		Table: func(g *material.Group) table.Table {
			t := parts.Table(g)
			t.Section = id
			return t
		},
	}
}
