package loadbench

import "testing"

// Values is a Reporter that keeps the metrics by unit, for those who have no
// testing.B.
type Values map[string]float64

// ReportMetric implements Reporter.
func (v Values) ReportMetric(value float64, unit string) { v[unit] = value }

// Line returns what testing prints, but for the end of the line, of a benchmark
// that made so many calls and reported the values.
func Line(name string, calls int64, v Values) string {
	return name + "\t" + testing.BenchmarkResult{N: int(calls), Extra: v}.String()
}
