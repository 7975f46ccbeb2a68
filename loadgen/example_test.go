package loadgen_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// call stands for a call of a service.
func call(context.Context, int) error {
	time.Sleep(time.Millisecond)
	return nil
}

// How much do 8 callers get done?
func ExampleRun_closed() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.ClosedLoop,
		Calls:    1000,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "calls", res.Goodput() > 0)
	// Output: 1000 calls true
}

// How long do users wait at 500 calls a second?
func ExampleRun_open() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.Constant(500),
		Duration: 200 * time.Millisecond,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Sent, "of", res.Due, "calls were sent")
	fmt.Println(res.Response.Quantile(.99) >= res.Service.Quantile(.5))
	// Output:
	// 100 of 100 calls were sent
	// true
}

// Independent users arrive at random. The same seed makes the same arrivals.
func ExamplePoisson() {
	arrivals := loadgen.Poisson(500, 1).Start()
	for range 3 {
		due, _ := arrivals.Next()
		fmt.Println(due.Round(time.Microsecond))
	}
	// Output:
	// 939µs
	// 2ms
	// 4.917ms
}

// A server that cannot keep up gets no more than 10 ms of backlog.
func ExampleConfig_overload() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  1,
		Schedule: loadgen.Constant(10_000),
		Duration: 200 * time.Millisecond,
		MaxLag:   10 * time.Millisecond,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Dropped > 0, res.Sent+res.Dropped == res.Due)
	// Output: true true
}

// How many calls a second can a service take, so that 99 % of them are answered
// within 50 ms and at most one in a thousand fails?
func ExampleCapacity() {
	limit, err := loadgen.Capacity(context.Background(), loadgen.Config{
		Workers:  50,
		Duration: 200 * time.Millisecond, // of a probe, for a quick answer; better leave it out
		Interval: 20 * time.Millisecond,
	}, call, loadgen.Objective{
		Quantile: .99, Latency: 50 * time.Millisecond, ErrorRate: .001,
		MaxProbes: 3,
		OnProbe:   func(p loadgen.Probe) { _ = p.String() }, // "500 calls/s: holds: p99 1.2ms, 0 % over 50ms"
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(limit.Probes), "probes")
	fmt.Println(limit.Low <= limit.Rate && limit.Rate <= limit.High)
	// Output:
	// 3 probes
	// true
}

// A run ends as soon as the median is known to ±50 %, or after 20 s.
func ExampleConfig_until() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.Poisson(500, 1),
		Duration: 20 * time.Second,
		Until:    loadgen.Precision{Quantile: .5, Within: .5},
		Interval: 20 * time.Millisecond, // 16 of them at least
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	median := res.Confidence[0]
	fmt.Println(median.Quantile, median.Low <= median.High, res.Elapsed < 20*time.Second)
	// Output: 0.5 true true
}
