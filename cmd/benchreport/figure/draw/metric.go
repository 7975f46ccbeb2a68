package draw

import "github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"

// Unit is the metric of a unit of lines.
func Unit(id, title, unit, value string) material.Metric {
	return material.Metric{ID: id, Title: title, Unit: unit, Value: value}
}

// Rate is the metric of correct replies per second.
func Rate(id string) material.Metric { return Unit(id, "calls/s", "calls/s", "calls/s") }

// Times are the metrics of response times.
func Times(id string) []material.Metric {
	return []material.Metric{
		Unit(id+"-p50", "p50", "ns", "p50-ns"),
		Unit(id+"-p99", "p99", "ns", "p99-ns"),
		Unit(id+"-p99.9", "p99.9", "ns", "p99.9-ns"),
	}
}
