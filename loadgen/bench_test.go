package loadgen

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// cpuTime is the CPU time this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measure runs b.N calls and reports the CPU time of each.
func measure(b *testing.B, cfg Config, call Call) *Result {
	b.Helper()
	var cpu time.Duration
	cfg.Calls = int64(b.N)
	cfg.Started = func() { b.ReportAllocs(); b.ResetTimer(); cpu = cpuTime() }
	cfg.Stopped = func() { cpu = cpuTime() - cpu; b.StopTimer() }
	res, err := Run(context.Background(), cfg, call)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(cpu)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(res.Goodput(), "calls/s")
	return res
}

// BenchmarkClosedLoop is the cost of the closed loop itself: calls that do
// nothing, by as many workers as there are procs. BenchmarkClock beside it is
// the one reading of the clock that every call pays.
func BenchmarkClosedLoop(b *testing.B) {
	measure(b, Config{Workers: runtime.GOMAXPROCS(0), Schedule: ClosedLoop}, nothing)
}

func BenchmarkClock(b *testing.B) {
	start := time.Now()
	var sum time.Duration
	for b.Loop() {
		sum += time.Since(start)
	}
}

// BenchmarkSaturated offers far more than the open loop can send.
func BenchmarkSaturated(b *testing.B) {
	for _, workers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			measure(b, Config{Workers: workers, Schedule: Constant(100e6)}, nothing)
		})
	}
}

// BenchmarkPaced is the open loop at rates it can hold.
func BenchmarkPaced(b *testing.B) {
	for _, rate := range []float64{1e3, 1e4, 1e5, 1e6} {
		b.Run(fmt.Sprintf("rate=%.0f", rate), func(b *testing.B) {
			res := measure(b, Config{Workers: 8, Schedule: Constant(rate)}, nothing)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(res.Lag.Quantile(.5)), "lag-p50-ns")
			b.ReportMetric(float64(res.Lag.Quantile(.99)), "lag-p99-ns")
		})
	}
}
