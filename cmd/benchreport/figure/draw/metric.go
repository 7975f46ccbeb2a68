package draw

import (
	"math"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Unit is the metric of a unit of lines.
func Unit(id, title, unit, value string) material.Metric {
	return material.Metric{ID: id, Title: title, Unit: unit, Value: value}
}

// Rate is the metric of correct replies per second.
func Rate(id string) material.Metric { return Unit(id, "calls/s", "calls/s", "calls/s") }

// CPUTimes are the metrics of the CPU time of a call.
func CPUTimes(id string) []material.Metric {
	both := func(l lines.Line) (sum float64, ok bool) {
		client, one := l.Values["client-cpu-ns/op"]
		server, other := l.Values["server-cpu-ns/op"]
		return client + server, one && other && !math.IsInf(client+server, 0)
	}
	return []material.Metric{
		{ID: id + "-both", Title: "both sides", Unit: "ns", Compute: both},
		Unit(id+"-client", "client", "ns", "client-cpu-ns/op"), Unit(id+"-server", "server", "ns", "server-cpu-ns/op"),
	}
}

// Times are the metrics of response times.
func Times(id string) []material.Metric {
	return []material.Metric{
		Unit(id+"-p50", "p50", "ns", "p50-ns"),
		Unit(id+"-p99", "p99", "ns", "p99-ns"),
	}
}
