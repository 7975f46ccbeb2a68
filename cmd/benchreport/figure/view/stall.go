package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// stall shows what both loops see of a server that stands still. A closed loop calls as often
// as it can, which is not the number of calls that the line counts.
func stall() *View {
	return &View{
		Kind: material.Kind{
			Is:        func(l lines.Line) bool { return l.Get("loop") != "" },
			Calls:     true,
			Keys:      material.Words{"loop": material.After(" loop")},
			Uncounted: func(l lines.Line) bool { return l.Get("loop") == "closed" },
		},
		Axis: material.Axis{Title: "loop", Scale: "names", Keys: []string{"loop"}},
		Sections: []draw.Section{{
			ID: "stall", Title: "A server that stands still",
			Note:    "What a closed and an open loop see of the same pauses: a closed loop delays the very calls that would have met them.",
			Metrics: draw.Times("stall"),
			Why:     "no lines of BenchmarkStall",
		}},
		Shared: []Question{Failed},
	}
}
