package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// workload shows closed loops whose handlers do some work.
func workload() *View {
	return &View{
		Kind: material.Kind{
			Is:    func(l lines.Line) bool { return l.Get("workload") != "" && material.OfferedRate(l) == 0 },
			Calls: true,
		},
		Axis: material.Axis{Title: "workload", Scale: "names", Keys: []string{"workload"}},
		Sections: []draw.Section{{
			ID: "workload", Title: "Workloads",
			Note:    "A closed loop whose handler does some work: how much of a framework's lead is left?",
			Metrics: append([]material.Metric{draw.Rate("workload")}, draw.Times("workload")...),
			Why:     "no lines of BenchmarkWorkload",
		}},
		Shared: []Question{Networks, CPU, Failed},
	}
}
