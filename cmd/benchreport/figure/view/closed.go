package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// closed shows callers that call again when their last call has returned: Echo, Message and
// what else has calls/s.
func closed() *View {
	return &View{
		Kind:   material.Kind{Is: func(l lines.Line) bool { return material.OfferedRate(l) == 0 }, General: true, Calls: true},
		Axis:   material.Callers(),
		Ranked: true,
		Sections: []draw.Section{
			{
				ID: "throughput", Title: "Throughput",
				Note:    "Correct replies per second of a closed loop: so many callers, each of whom calls again when the last call has returned.",
				Metrics: []material.Metric{draw.Rate("throughput")},
				Why:     "no line has calls/s of callers: run BenchmarkEcho or BenchmarkMessage",
			},
			{
				ID: "latency", Title: "Latency",
				Note:    "Response times of the same closed loops. They say how long a call takes among so many, not what users wait at a given rate.",
				Metrics: draw.Times("latency"),
				Why:     "no line has p50-ns of callers: run BenchmarkEcho or BenchmarkMessage",
			},
			{
				ID: "size", Title: "Size of the payload",
				Note:    "The same closed loops against the size of the payload, which the server sends back.",
				Axis:    new(material.Sizes()),
				Metrics: append([]material.Metric{draw.Rate("size-throughput")}, draw.Times("size")...),
				Only:    varied, Why: "no lines differ in their size: run BenchmarkEcho with several -size",
			},
		},
		Shared: []Question{Networks, CPU, Failed},
	}
}

// varied reports whether the lines differ in their size.
func varied(g *material.Group) bool {
	_, one := g.Only("size")
	return !one && g.Variants[0].Lines[0].Get("size") != ""
}
