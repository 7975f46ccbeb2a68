package hdr_test

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/hdr"
)

// measured stands for the result of a run.
func measured() *loadgen.Result {
	res := new(loadgen.Result)
	res.Response.Record(2*time.Millisecond, 990)
	res.Response.Record(40*time.Millisecond, 10)
	return res
}

// A log goes to any tool that knows HdrHistogram, and comes back without loss.
func ExampleWriteLog() {
	var file bytes.Buffer
	if err := hdr.WriteLog(&file, measured(), time.Now()); err != nil {
		fmt.Println(err)
		return
	}
	log, err := hdr.ReadLog(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(&log.Response)
	// Output: 1000 values: p50 2ms, p90 2ms, p99 2ms, max 40ms
}

// A plotter of .hgrm files draws this curve, with values in microseconds.
func ExampleWriteHGRM() {
	h := new(loadgen.Histogram)
	h.Record(2*time.Millisecond, 1)
	if err := hdr.WriteHGRM(os.Stdout, h); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Value	Percentile	TotalCount	1/(1-Percentile)
	//
	//     2000.895     0.000000            1         1.00
	//     2000.895     1.000000            1          inf
	// #[Mean    =     2000.384, StdDeviation   =        0.000]
	// #[Max     =     2000.895, Total count    =            1]
	// #[Buckets =           30, SubBuckets     =         2048]
}
