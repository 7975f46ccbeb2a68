package loadbench

import "testing"

// Values is a Reporter that keeps the metrics by unit, for code that runs
// without a testing.B.
type Values map[string]float64

// ReportMetric implements Reporter.
func (v Values) ReportMetric(value float64, unit string) { v[unit] = value }

// Line returns the line that testing prints for a benchmark with this number of
// calls and these metrics, without the newline at its end.
func Line(name string, calls int64, v Values) string {
	return name + "\t" + testing.BenchmarkResult{N: int(calls), Extra: v}.String()
}
