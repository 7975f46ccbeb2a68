package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// rate shows calls that are due at a rate. Where a client sleeps between calls, response times
// are longer, and its CPU time is without the waiting: such lines are set aside.
func rate() *View {
	return &View{
		Kind: material.Kind{
			Is:      func(l lines.Line) bool { return material.OfferedRate(l) > 0 },
			General: true, Calls: true, Offered: true,
			Aside: func(l lines.Line) bool { return l.Config["rate-wait"] == "quiet" },
		},
		Axis: material.Rates(),
		Sections: []draw.Section{{
			ID: "rate", Title: "Latency at an offered rate",
			Note:    "Open loop: calls are due at a rate, whether or not earlier ones have returned, and times run from when a call was due. Near its capacity a framework's line turns up.",
			Metrics: append(draw.Times("rate"), draw.Unit("rate-achieved", "achieved calls/s", "calls/s", "calls/s")),
			Why:     "no line has an offered rate: run BenchmarkRate with several -rate",
		}},
		Shared: []Question{Failed},
		Costs:  costs,
	}
}

// waiting is said of a client that stays awake.
const waiting = " The client's time also holds the waiting of a load generator that stays awake until calls are due, up to all of its CPU: lines with -wait=quiet do without."

// costs are of clients that sleep between calls. A client that stays awake spends CPU time on
// waiting, so its lines count only where there are no others.
func costs(m *material.Material, k *material.Kind) []table.Cost {
	if quiet := m.Aside(k); len(quiet) > 0 {
		return draw.Costs(m, quiet)
	}
	list := draw.Costs(m, m.Of(k))
	for i := range list {
		list[i].Note += waiting
	}
	return list
}
