// Package loadbench runs a load of package loadgen inside a testing.B, where b.N is the number
// of calls, and reports results in the units that benchstat reads well. It is for those who
// compare versions of a service, or of its client, with go test -bench.
//
//	func BenchmarkEcho(b *testing.B) {
//		loadbench.Run(b, loadgen.Config{Workers: 100, Schedule: loadgen.ClosedLoop}, echo)
//	}
//
// The client of a package such as httpload runs in [Measure]. A p99 takes 10,000 calls, as of
// -benchtime=10000x, or of -benchtime=1000x and -count=10.
package loadbench

import (
	"context"
	"testing"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// Bench is the part of *testing.B that Measure needs.
type Bench interface {
	ReportAllocs()
	ResetTimer()
	StopTimer()
}

// Run makes b.N calls as cfg says and reports the Metrics of the run. If no call
// succeeded, or if the run ended early, it fails the benchmark. A few failed
// calls are reported as the metric errors, since a failed benchmark prints no
// line.
func Run(b *testing.B, cfg loadgen.Config, call loadgen.Call) *loadgen.Result {
	b.Helper()
	m, err := Measure(b, b.N, cfg, call.Run)
	if err != nil {
		b.Fatal(err)
	}
	if m.OK == 0 {
		b.Fatalf("no call succeeded: %s", m.Failures())
	}
	Report(b, m.Metrics(false)...)
	for _, w := range OfLine(m.Warnings) {
		b.Log("warning: ", foreign.Error(w))
	}
	return m.Result
}

// Measure is Run without the reporting, for benchmarks that add metrics of their
// own, and for calls that are made by any Runner, as the Run of a loadgen.Mix or of a client of
// package httpload; n is b.N. The timer of b runs from the first call that counts to the end
// of the last. Calls get context.Background and not the context of b, which can
// be cancelled: frameworks take a slower path for such a context. The error is that of run.
func Measure(b Bench, n int, cfg loadgen.Config, run loadgen.Runner) (m Measured, err error) {
	b.ReportAllocs()
	cfg.Calls = int64(n)
	started, stopped := cfg.OnStart, cfg.OnStop
	cfg.OnStart = func() {
		if started != nil {
			started()
		}
		b.ResetTimer()
		m.CPU = processCPU()
	}
	cfg.OnStop = func() {
		m.CPU = processCPU() - m.CPU
		b.StopTimer()
		if stopped != nil {
			stopped()
		}
	}
	m.Rounds = Rounds()
	m.Result, err = run(context.Background(), cfg)
	return m, err
}
