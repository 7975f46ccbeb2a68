package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// counts shows what a call costs besides time.
func counts() *View {
	return &View{
		Kind: material.Kind{
			Is: func(l lines.Line) bool {
				return l.Base == "Count" && (has(l, "client-allocs/op") || has(l, "request-wire-B/op"))
			},
			Layered: true,
		},
		Counts: true,
		Title:  "Counts", Why: "no lines of BenchmarkCount: run make count and give its text as well",
		Axis:  material.None(),
		Table: countTable,
	}
}

const aboutCounts = "By one caller. Request and reply are the payload of TCP. Segments have payload, both ways. System calls are those that move bytes over the connection."

var countColumns = []draw.Column{
	{Head: "request B", Unit: "request-wire-B/op"},
	{Head: "reply B", Unit: "reply-wire-B/op"},
	{Head: "segments", Unit: "segs/op"},
	{Head: "client system calls", Unit: "client-syscalls/op"},
	{Head: "server system calls", Unit: "server-syscalls/op"},
	{Head: "client allocations", Unit: "client-allocs/op"},
	{Head: "server allocations", Unit: "server-allocs/op"},
	{Head: "client B", Unit: "client-B/op"},
	{Head: "server B", Unit: "server-B/op"},
}

// countTable has the references last.
func countTable(g *material.Group) table.Table {
	g.SortBy()
	columns := make([]draw.Column, len(countColumns))
	for i, c := range countColumns {
		columns[i] = draw.Column{Head: c.Head, Unit: c.Unit, Size: 1, Cell: draw.Tenths}
	}
	t := draw.Columns(g, aboutCounts, columns...)
	for _, c := range columns {
		t = t.Without(c.Head, number.Missing)
	}
	return t
}
