package loadbench

import (
	"errors"
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/loadgen"
)

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

// OfLine returns the warnings about figures that a line has. Of few calls it has no p99, and it
// has no intervals of percentiles: lines are repeated to see how well their figures are known.
func OfLine(all []error) []error {
	return slices.DeleteFunc(slices.Clone(all), func(w error) bool {
		return errors.Is(w, loadgen.ErrFewCalls) || errors.Is(w, loadgen.ErrFluctuates)
	})
}
