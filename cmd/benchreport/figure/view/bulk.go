package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// bulk shows large transfers, several of which may be under way at once.
func bulk() *View {
	return &View{
		Kind: material.Kind{
			Is:    func(l lines.Line) bool { return l.Get("parallel") != "" },
			Calls: true,
			Keys:  material.Words{"parallel": material.After(" at once")},
		},
		Axis: material.Sizes(),
		Sections: []draw.Section{{
			ID: "bulk", Title: "Large transfers",
			Note:    "Payload there and back, of which MB/s counts one way; every byte is compared.",
			Metrics: []material.Metric{draw.Unit("bulk", "MB/s", "MB/s", "MB/s"), draw.Unit("bulk-p50", "p50", "ns", "p50-ns"), draw.Unit("bulk-p99", "p99", "ns", "p99-ns")},
			Why:     "no lines of BenchmarkBulk",
		}},
		Shared: []Question{Networks, CPU, Failed},
		Large:  true,
		Crossed: []draw.Across{
			{Axis: material.Networks(), Title: "network"},
			{Axis: material.Windows(), Title: "receive window"},
			{Axis: material.Chunks(), Title: "size of a stream's messages"},
			{Axis: parallels(), Title: "transfers at once, and in % of the first column", Share: true},
			{Axis: material.Sizes(), Title: "size"},
		},
	}
}
