package record_test

import (
	"fmt"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// measured stands for the result of a run.
func measured() *loadgen.Result {
	res := &loadgen.Result{Elapsed: 2 * time.Second, Due: 1000, Sent: 1000, OK: 1000}
	res.Response.Record(2*time.Millisecond, 1000)
	res.Service.Record(2*time.Millisecond, 1000)
	res.Lag.Record(time.Microsecond, 1000)
	return res
}

// A result is kept in a file of its own, and read again without loss.
func ExampleRecord_Write() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	kept := record.Record{
		RunName: "nightly-17", Benchmark: "BenchmarkOrders/rate=500", Ranks: 1, Start: time.Now(),
		Config: map[string]string{"version": "v1.4.0"},
		Result: measured(),
	}
	path, err := kept.Write(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := record.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Benchmark, read.Config["version"], read.Result.Goodput(), "calls/s")
	// Output: BenchmarkOrders/rate=500 v1.4.0 500 calls/s
}

// A spreadsheet reads a table with a row of the run, and one of each interval.
func ExampleWriteCSV() {
	if err := record.WriteCSV(os.Stdout, measured()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// part,interval,start_s,length_s,due,sent,ok,failed,dropped,goodput_per_s,error_ratio,p50_ms,p90_ms,p95_ms,p99_ms,p99.9_ms,max_ms
	// ,,0,2,1000,1000,1000,0,0,500,0,2.000895,2.000895,2.000895,2.000895,,2.000895
}
