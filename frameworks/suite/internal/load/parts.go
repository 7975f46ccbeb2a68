package load

import (
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// fewestOfPart is the calls of a part that its median takes.
const fewestOfPart = 20

// PartMetrics returns the metrics of the parts of a mix, and of pushes. Their percentiles need as many calls as
// those of whole lines; a median needs fewer, since large calls are few.
func PartMetrics(r *loadgen.Result, rounds int) (list []loadbench.Metric) {
	for _, p := range r.Parts {
		m := loadbench.Measured{Result: p.Result, Rounds: rounds}
		list = append(list, loadbench.Metric{Value: m.Goodput(), Unit: p.Name + "-calls/s"})
		if p.Result.Response.Count() >= fewestOfPart {
			list = append(list, loadbench.Metric{Value: float64(p.Result.Response.Quantile(.5)), Unit: p.Name + "-p50-ns"})
		}
		for _, one := range m.Metrics(false) {
			if one.Unit == "p99-ns" {
				list = append(list, loadbench.Metric{Value: one.Value, Unit: p.Name + "-p99-ns"})
			}
		}
	}
	return list
}
