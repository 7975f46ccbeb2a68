package loadbench_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/httpload"
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

// calm is what Measure needs of a *testing.B.
type calm struct{}

func (calm) ReportAllocs() {}
func (calm) ResetTimer()   {}
func (calm) StopTimer()    {}

// The client of a URL, or of a method of gRPC, makes the b.N calls. Without a check for OK a
// server that fails all calls would be measured as well.
func ExampleMeasure() {
	benchmark := func(b *testing.B) {
		client, err := httpload.Get("http://127.0.0.1:8080/")
		if err != nil {
			b.Fatal(err)
		}
		defer client.Close()
		m, err := loadbench.Measure(b, b.N, loadgen.Config{Workers: 100, Schedule: loadgen.Poisson(500, 1)}, client.Run)
		if err == nil && m.OK == 0 {
			err = errors.New(m.Failures())
		}
		if err != nil {
			b.Fatal(err)
		}
		loadbench.Report(b, m.Metrics(false)...)
	}
	_ = benchmark // func BenchmarkPage(b *testing.B)
}

// A program without a testing.B prints the line of a benchmark, for benchstat to read.
func ExampleLine() {
	send := loadgen.AsyncCall(func(_ context.Context, _ int, done func(error)) { done(nil) })
	m, err := loadbench.Measure(calm{}, 2000, loadgen.Config{Workers: 10, Schedule: loadgen.ClosedLoop}, send.Run)
	if err != nil {
		fmt.Println(err)
		return
	}
	values := loadbench.Values{}
	loadbench.Report(values, m.Metrics(false)...)
	_ = loadbench.Line("BenchmarkSend", m.Sent, values) // "BenchmarkSend	2000	512 ns/op	…"
	fmt.Println(m.OK, values["calls/s"] > 0, values["p50-ns"] > 0)
	// Output: 2000 true true
}
