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
	Networks  Question = "networks" // calls over networks
	Windows   Question = "windows"  // with receive windows
	Parallels Question = "parallel" // several transfers at once
	CPU       Question = "cpu"      // the CPU time of a call
	Failed    Question = "failed"   // calls that failed
)

// Links are sections about what lies between client and server, and what fills it.
func Links() []draw.Section {
	return []draw.Section{
		{
			ID: string(Networks), Title: "Over networks",
			Note:    "The same calls over each network, in the order in which they were measured. The CPU time of a call is that of what carries its packets: where it is a whole CPU, the network was the limit.",
			Axis:    new(material.Networks()),
			Metrics: append(carried("networks"), draw.Unit("networks-cpu", "CPU of the network", "ns", "net-cpu-ns/op")),
			Only:    several(material.Networks()), Why: "no lines differ in their network: run benchmarks with several -net",
		},
		{
			ID: string(Windows), Title: "Receive windows",
			Note:    "The same calls with receive windows of several sizes, and with the framework's own. A window is the most that a sender has under way, so a fixed one carries no more than window / round trip.",
			Axis:    new(material.Windows()),
			Metrics: carried("windows"),
			Only:    several(material.Windows()), Why: "no lines differ in their window: run BenchmarkBulk with several -window",
		},
		{
			ID: string(Parallels), Title: "Transfers at once", Note: "Do several transfers at once carry more than one?",
			Axis:    new(parallels()),
			Metrics: carried("parallel"),
			Only:    several(parallels()), Why: "no lines differ in their transfers at once: run BenchmarkBulk with several -transfers",
		},
	}
}

// parallels is how many transfers are under way at once.
func parallels() material.Axis {
	return material.Axis{Title: "transfers at once", Scale: "log", Keys: []string{"parallel"}, X: material.NumberOf("parallel")}
}

// Ends are sections about what calls cost, and how they end.
func Ends() []draw.Section {
	return []draw.Section{
		{
			ID: string(CPU), Title: "CPU per call", Note: "User and system time of each side's process, divided by its calls: the steadiest figures on a shared machine.",
			Axis: new(material.None()),
			Metrics: []material.Metric{
				draw.Unit("cpu-client", "client", "ns", "client-cpu-ns/op"), draw.Unit("cpu-server", "server", "ns", "server-cpu-ns/op"),
			},
			Why: "no line has client-cpu-ns/op and server-cpu-ns/op",
		},
		{
			ID: string(Failed), Title: "Failed calls", Note: "Calls that failed, or that were dropped since all workers were busy, of all that were due. Panels without any are left out.",
			Metrics: []material.Metric{{ID: "failed", Title: "failed or dropped", Unit: "%", Compute: failures}},
			Only:    failing, Why: "no call failed",
		},
	}
}

// carried are the metrics of how much comes through, and how fast.
func carried(id string) []material.Metric {
	return []material.Metric{draw.Unit(id+"-bulk", "MB/s", "MB/s", "MB/s"), draw.Rate(id + "-throughput"), draw.Unit(id+"-p50", "p50", "ns", "p50-ns")}
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
