package loadbench

import (
	"math"
	"strings"
)

// Reporter is the part of *testing.B that Report needs.
type Reporter interface {
	ReportMetric(value float64, unit string)
}

// Units tells benchstat which direction is better for each unit. It is to be
// printed before the benchmark lines.
const Units = `Unit calls/s better=higher
Unit low-calls/s better=higher
Unit high-calls/s better=higher
Unit offered/s assume=nothing
Unit p50-ns better=lower
Unit p99-ns better=lower
Unit p99.9-ns better=lower
Unit mean-ns better=lower
Unit max-ns better=lower
Unit service-p99-ns better=lower
Unit lag-p99-ns better=lower
Unit errors better=lower assume=exact
Unit dropped better=lower assume=exact
Unit conns assume=exact
Unit client-cpu-ns/op better=lower
Unit server-cpu-ns/op better=lower
Unit client-busy-% assume=nothing
Unit server-busy-% assume=nothing
Unit server-B/op better=lower
Unit client-peak-B better=lower
Unit server-peak-B better=lower
Unit server-allocs/op better=lower
`

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

// Metrics lists the metrics of a run; detail adds the mean, the maximum and, for an
// open loop, the p99 of service. Latencies are responses and include those of failed
// calls; calls/s counts calls without an error only. A percentile with too few calls
// is left out, see loadgen's Histogram.EnoughFor.
func (m Measured) Metrics(detail bool) []Metric {
	list := []Metric{{m.Goodput(), "calls/s"}}
	add := func(when bool, value float64, unit string) {
		if when {
			list = append(list, Metric{value, unit})
		}
	}
	open, n := !m.Closed, m.Response.Count()
	add(n > 0, float64(m.Response.Quantile(.5)), "p50-ns")
	add(m.Response.EnoughFor(.99), float64(m.Response.Quantile(.99)), "p99-ns")
	add(m.Response.EnoughFor(.999), float64(m.Response.Quantile(.999)), "p99.9-ns")
	add(detail && n > 0, float64(m.Response.Mean()), "mean-ns")
	add(detail && n > 0, float64(m.Response.Max()), "max-ns")
	add(detail && open && m.Service.EnoughFor(.99), float64(m.Service.Quantile(.99)), "service-p99-ns")
	add(open && m.Lag.EnoughFor(.99), float64(m.Lag.Quantile(.99)), "lag-p99-ns")
	add(open, 0, "ns/op") // the rate was given, so the time per call says nothing
	add(open, float64(m.Dropped), "dropped")
	add(true, float64(m.Failed), "errors")
	add(m.CPU > 0, float64(m.CPU)/float64(m.Sent), "client-cpu-ns/op")
	return list
}
