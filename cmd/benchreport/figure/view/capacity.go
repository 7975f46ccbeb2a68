package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// capacity shows the highest rate at which an objective holds. Its percentiles are of the
// calls of a search.
func capacity() *View {
	return &View{
		Kind: material.Kind{
			Is:        func(l lines.Line) bool { return l.Get("slo") != "" },
			Calls:     true,
			Keys:      material.Words{"slo": nil},
			Uncounted: func(lines.Line) bool { return true },
		},
		Axis: material.None(),
		Sections: []draw.Section{{
			ID: "capacity", Title: "Capacity",
			Note:    "The highest rate at which an objective holds, and the interval that the search gives for it.",
			Metrics: []material.Metric{{ID: "capacity", Title: "calls/s", Unit: "calls/s", Value: "calls/s", Low: "low-calls/s", High: "high-calls/s"}},
			Why:     "no lines of BenchmarkCapacity",
		}},
	}
}
