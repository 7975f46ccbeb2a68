package loadbench_test

import (
	"context"
	"testing"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// A benchmark makes b.N calls and reports calls/s, response times and CPU in
// units that benchstat reads.
func ExampleRun() {
	benchmark := func(b *testing.B) {
		call := func(context.Context, int) error { return nil }
		loadbench.Run(b, loadgen.Config{Workers: 10, Schedule: loadgen.Poisson(500, 1)}, call)
	}
	_ = benchmark // func BenchmarkService(b *testing.B)
}
