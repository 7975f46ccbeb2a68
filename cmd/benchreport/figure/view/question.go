package view

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Question is what a section over several benchmarks shows.
type Question string

// The questions.
const (
	Networks Question = "networks" // calls over networks
	CPU      Question = "cpu"      // the CPU time of a call
	Failed   Question = "failed"   // calls that failed
)

// Links are sections about what lies between client and server, and what fills it.
func Links() []draw.Section {
	return []draw.Section{
		{
			ID: string(Networks), Title: "Over networks",
			Note: "The same calls over each network, in the order in which they were measured. The CPU time of a call is that of what carries its packets: where it is a whole CPU, the network was the limit.",
			Axis: new(material.Networks()),
			Metrics: []material.Metric{
				draw.Unit("networks-bulk", "MB/s", "MB/s", "MB/s"), draw.Rate("networks-throughput"), draw.Unit("networks-p50", "p50", "ns", "p50-ns"),
				draw.Unit("networks-cpu", "CPU of the network", "ns", "net-cpu-ns/op"),
			},
			Only: several(material.Networks()), Why: "no lines differ in their network: run benchmarks with several -net",
		},
	}
}

// parallels is how many transfers are under way at once.
func parallels() material.Axis {
	return material.Axis{Title: "transfers at once", Scale: "log", Keys: []string{"parallel"}, X: material.NumberOf("parallel")}
}

// Costs are sections about the CPU time of calls.
func Costs() []draw.Section {
	return []draw.Section{{
		ID: string(CPU), Title: "CPU per call", Note: "User and system time of each side's process, divided by its calls: the steadiest figures on a shared machine, so look at them first.",
		Axis: new(material.None()), Metrics: draw.CPUTimes("cpu"),
		Why: "no line has client-cpu-ns/op and server-cpu-ns/op",
	}}
}

// Ends are sections about how calls end.
func Ends() []draw.Section {
	return []draw.Section{
		{
			ID: string(Failed), Title: "Failed calls", Note: "Calls that failed, or that were dropped since all workers were busy, of all that were due. Panels without any are left out.",
			Metrics: []material.Metric{{ID: "failed", Title: "failed or dropped", Unit: "%", Compute: failures}},
			Only:    failing, Why: "no call failed",
		},
	}
}

// several tells panels whose lines have several points of an axis.
func several(a material.Axis) func(g *material.Group) bool {
	return func(g *material.Group) bool {
		names, _ := g.Points(a)
		return len(names) > 1
	}
}

// failures is how many per cent of a line's calls failed or were dropped.
func failures(l lines.Line) (percent float64, ok bool) {
	errors, ok := l.Values["errors"]
	return 100 * (errors + l.Values["dropped"]) / float64(max(l.Calls, 1)), ok
}

// failing reports whether a call failed.
func failing(g *material.Group) bool {
	return slices.ContainsFunc(g.Lines(), func(l lines.Line) bool { p, _ := failures(l); return p > 0 })
}
