package loadbench

import (
	"math"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Metric is one value of a benchmark line.
type Metric struct {
	Value float64
	Unit  string
}

// Measured is loadgen's result of a run, and the CPU time of the process.
type Measured struct {
	*loadgen.Result
	CPU time.Duration // user and system time of this process during the run; 0 if not known
	// Rounds is how many lines like that of this run are taken together, see Rounds; 0
	// counts as 1.
	Rounds int
}

// Reporter is the part of *testing.B that Report needs.
type Reporter interface {
	ReportMetric(value float64, unit string)
}

// Report reports metrics to a benchmark. NaN and infinities are left out, since
// benchstat does not survive them. Times under 1 ns become 1 ns, since benchstat
// does not scale a 0.
func Report(b Reporter, metrics ...Metric) {
	for _, m := range metrics {
		if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
			continue
		}
		if isTime(m.Unit) {
			m.Value = max(m.Value, 1)
		}
		b.ReportMetric(m.Value, m.Unit)
	}
}

// isTime reports whether a unit is a time. ns/op itself does not count, since
// testing prints no ns/op that is 0.
func isTime(unit string) bool {
	return strings.HasSuffix(unit, "-ns") || strings.HasSuffix(unit, "-ns/op")
}

// Metrics lists the metrics of a run; detail adds the minimum, the mean, the maximum and,
// for an open loop, the p99 of service. Latencies are responses and include those of failed
// calls; calls/s counts calls without an error only.
//
// A line has no interval beside a percentile, unlike a Result. So a percentile is left
// out unless 100 calls of all Rounds together were slower, and 10 of this run: p99
// takes 10,000 calls, and p99.9 100,000. The median of an open loop takes 200. That of
// a closed loop is always there, since a loop of large transfers has few calls.
func (m Measured) Metrics(detail bool) []Metric {
	list := []Metric{{m.Goodput(), "calls/s"}}
	add := func(when bool, value float64, unit string) {
		if when {
			list = append(list, Metric{value, unit})
		}
	}
	quantile := func(when bool, h *loadgen.Histogram, q float64, unit string) {
		add(when && h.EnoughFor(q) && (m.enough(h, q) || q == .5 && m.Closed), float64(h.Quantile(q)), unit)
	}
	open, n := !m.Closed, m.Response.Count()
	quantile(true, &m.Response, .5, "p50-ns")
	quantile(true, &m.Response, .99, "p99-ns")
	quantile(true, &m.Response, .999, "p99.9-ns")
	add(detail && n > 0, float64(m.Response.Min()), "min-ns")
	add(detail && n > 0, float64(m.Response.Mean()), "mean-ns")
	add(detail && n > 0, float64(m.Response.Max()), "max-ns")
	quantile(detail && open, &m.Service, .99, "service-p99-ns")
	quantile(open, &m.Lag, .99, "lag-p99-ns")
	add(m.Blocked.Count() > 0, float64(m.Blocked.Mean()), "blocked-ns")
	quantile(true, &m.Blocked, .99, "blocked-p99-ns")
	add(open, 0, "ns/op") // the rate was given, so the time per call says nothing
	add(open, float64(m.Dropped), "dropped")
	add(true, float64(m.Failed), "errors")
	add(m.CPU > 0, float64(m.CPU)/float64(m.Sent), "client-cpu-ns/op")
	return list
}

// enough reports whether all rounds together have 100 values beyond a quantile, if
// each has as many as h.
func (m Measured) enough(h *loadgen.Histogram, q float64) bool {
	const beyond, ulp = 100, 1e-6 // 1-q is not exact
	return float64(h.Count())*float64(max(m.Rounds, 1))*(1-q) >= beyond-ulp
}
