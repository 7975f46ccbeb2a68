package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// dial shows new clients, and clients whose server was restarted. Its percentiles are of as
// many clients as a run makes.
func dial() *View {
	return &View{
		Kind: material.Kind{
			Is:        func(l lines.Line) bool { return l.Base == "Dial" && (has(l, "first-call-ns") || has(l, "reconnects")) },
			Layered:   true,
			Keys:      material.Words{"down": downFor},
			Uncounted: func(l lines.Line) bool { return l.Get("down") != "" },
		},
		Axis:  material.None(),
		Table: dialTable,
	}
}

func downFor(duration string) string {
	if duration == "none" {
		return "new clients"
	}
	return "a server that was down for " + duration
}

const (
	aboutFirstCalls = "New clients, one after the other: the time until the first reply, and the medians of its two parts. Medians of all rounds; ± is how far they are from it."
	aboutRestarts   = "From when a killed server was up again until a call of its old client succeeded, and the calls that failed in that time. Medians of all rounds; ± is how far they are from it."
)

var (
	firstCallColumns = []draw.Column{
		{Head: "new client p50 ms", Unit: "p50-ns", Size: 1e6, Cell: draw.WithSpread},
		{Head: "p99 ms", Unit: "p99-ns", Size: 1e6, Cell: draw.WithSpread},
		{Head: "dial ms", Unit: "dial-ns", Size: 1e6, Cell: draw.WithSpread},
		{Head: "first call ms", Unit: "first-call-ns", Size: 1e6, Cell: draw.WithSpread},
		{Head: "client CPU µs", Unit: "client-cpu-ns/op", Size: 1e3, Cell: draw.WithSpread},
		{Head: "server CPU µs", Unit: "server-cpu-ns/op", Size: 1e3, Cell: draw.WithSpread},
	}
	restartColumns = []draw.Column{
		{Head: "reconnect ms", Unit: "reconnect-ns", Size: 1e6, Cell: draw.WithSpread},
		{Head: "slowest ms", Unit: "max-ns", Size: 1e6, Cell: draw.WithSpread},
		{Head: "failed calls", Unit: "failed-calls", Size: 1, Cell: draw.WithSpread},
		{Head: "reconnects", Unit: "reconnects", Size: 1, Cell: draw.WithSpread},
	}
)

// dialTable has the fastest first, and references last.
func dialTable(g *material.Group) table.Table {
	if has(g.Variants[0].Lines[0], "reconnects") {
		g.SortBy("reconnect-ns")
		return draw.Columns(g, aboutRestarts, restartColumns...)
	}
	g.SortBy("p50-ns")
	return draw.Columns(g, aboutFirstCalls, firstCallColumns...)
}
