package view

import (
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// load shows calls at a share of each framework's own capacity, and beyond it who collapses
// and who sheds.
func load() *View {
	return &View{
		Kind: material.Kind{
			Is:    func(l lines.Line) bool { return l.Get("load") != "" },
			Calls: true, Offered: true,
			Keys: material.Words{"load": material.After(" load")},
		},
		Axis: material.Axis{Title: "% of the capacity", Scale: "linear", Keys: []string{"load"}, X: percent},
		Sections: []draw.Section{
			{
				ID: "load", Title: "Latency at a part of the capacity",
				Note:    "Open loop at so many per cent of each framework's own capacity: all are equally busy, not equally fast.",
				Metrics: append(draw.Times("load"), draw.Unit("load-achieved", "achieved calls/s", "calls/s", "calls/s")),
				Why:     "no lines of BenchmarkLoad",
			},
			{
				ID: "overload", Title: "Overload",
				Note: "What is left when more is offered than a framework's own capacity, and callers give up. Who sheds stays near 100 % of its capacity; who collapses works on calls that nobody waits for any more: the wasted share of all calls that handlers completed. The time to recover is that until calls at half of the capacity meet the objective again, 10 s at most.",
				Metrics: []material.Metric{
					{ID: "overload-goodput", Title: "correct replies, in % of the capacity", Unit: "%", Compute: goodput},
					draw.Unit("overload-wasted", "wasted work", "%", "wasted-%"),
					draw.Unit("overload-recovery", "time to recover", "ns", "recover-ns"),
				},
				Only: overloaded, Why: "no lines of BenchmarkLoad beyond the capacity: run it with -load=50,100,150,200",
			},
		},
		Shared: []Question{Failed},
		Columns: []draw.Column{
			{Head: "wasted %", Unit: "wasted-%", Size: 1},
			{Head: "recovery ms", Unit: "recover-ns", Size: 1e6},
		},
	}
}

// percent is the share of the capacity that was offered.
func percent(l lines.Line) float64 { return number.Positive(strings.TrimSuffix(l.Get("load"), "%")) }

// goodput is the correct replies of a line in per cent of the capacity, of which the line was
// offered a share.
func goodput(l lines.Line) (share float64, ok bool) {
	offered := l.Values["offered/s"]
	if !(offered > 0) {
		return 0, false
	}
	return l.Values["calls/s"] / offered * percent(l), true
}

// overloaded reports whether a line says how long the server took to recover.
func overloaded(g *material.Group) bool {
	return slices.ContainsFunc(g.Lines(), func(l lines.Line) bool { return has(l, "recover-ns") })
}
