package capacity_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/capacity"
)

// call stands for a call of a service.
func call(context.Context, int) error {
	time.Sleep(time.Millisecond)
	return nil
}

// How many calls a second can a service take, so that 99 % of them are answered
// within 50 ms and at most one in a thousand fails?
func ExampleFind() {
	found, err := capacity.Find(context.Background(), capacity.Config{
		Quantile: .99, Latency: 50 * time.Millisecond, ErrorRate: .001,
		Workers:   50,
		ProbeTime: 240 * time.Millisecond, // the shortest, for a quick answer; better leave it out, and MaxProbes
		MaxProbes: 3,
		OnProbe:   func(p capacity.Probe) { _ = p.String() }, // "500 calls/s: holds: p99 1.2ms, 0 % over 50ms"
	}, loadgen.Call(call).Run)
	if err != nil {
		fmt.Println(err)
		return
	}
	// fmt.Println(found) prints "p99 ≤ 50ms is met up to …" and the warnings.
	fmt.Println(len(found.Probes), "probes")
	fmt.Println(found.Low <= found.Rate && found.Rate <= found.High)
	// Output:
	// 3 probes
	// true
}
