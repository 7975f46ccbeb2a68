package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// phase shows calls at a rate that moves, by the phases of a run. The run itself is shown over
// time, if there are records.
func phase() *View {
	return &View{
		Kind: material.Kind{
			Is:    func(l lines.Line) bool { return l.Get("phase") != "" },
			Calls: true, Offered: true,
			Keys: material.Words{"phase": nil},
		},
		Axis: material.Axis{Title: "phase", Scale: "names", Keys: []string{"phase"}},
		Sections: []draw.Section{{
			ID: "phase", Title: "Rates that move",
			Note: "Open loop, of one run: response times of the calls that were due in each phase, and how many replies came in it. The time to settle is that after a step of the rate until calls take as long as later in the phase.",
			Metrics: append(draw.Times("phase"),
				draw.Unit("phase-achieved", "achieved calls/s", "calls/s", "calls/s"),
				draw.Unit("phase-settle", "time to settle", "ns", "settle-ns")),
			Why: "no line of a rate that moves: run BenchmarkRate as with -rate=1000,5000,1000@10s",
		}},
		Shared:  []Question{Failed},
		Columns: []draw.Column{{Head: "settle ms", Unit: "settle-ns", Size: 1e6}},
	}
}
