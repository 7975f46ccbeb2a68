//go:build unix

package loadgen

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
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

// measure makes b.N calls, or calls for cfg.Duration, and reports their cost.
func measure(b *testing.B, cfg Config, call Call) *Result {
	b.Helper()
	return measureRun(b, cfg, call.Run)
}

func measureRun(b *testing.B, cfg Config, run Runner) *Result {
	b.Helper()
	var cpu time.Duration
	if cfg.Duration == 0 {
		cfg.Calls = int64(b.N)
	}
	cfg.OnStart = func() { b.ReportAllocs(); b.ResetTimer(); cpu = cpuTime() }
	cfg.OnStop = func() { cpu = cpuTime() - cpu; b.StopTimer() }
	res, err := run(context.Background(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(cpu)/float64(res.Sent), "cpu-ns/op")
	b.ReportMetric(res.Goodput(), "calls/s")
	if !res.Closed {
		b.ReportMetric(0, "ns/op") // the rate was given
		b.ReportMetric(float64(cpu)/float64(res.Elapsed)*100, "cpu-%")
		reportTimes(b, &res.Lag, "lag")
	}
	return res
}

func reportTimes(b *testing.B, h *Histogram, name string) {
	b.ReportMetric(float64(max(h.Quantile(.5), 1)), name+"-p50-ns")
	b.ReportMetric(float64(max(h.Quantile(.99), 1)), name+"-p99-ns")
}

// BenchmarkClock reads the clock once, as every call does.
func BenchmarkClock(b *testing.B) {
	start := time.Now()
	var sum time.Duration
	for b.Loop() {
		sum += time.Since(start)
	}
}

// BenchmarkClosedLoop is the cost of the closed loop itself: calls that do nothing, by
// a worker for each proc.
func BenchmarkClosedLoop(b *testing.B) {
	measure(b, Config{Workers: runtime.GOMAXPROCS(0), Schedule: ClosedLoop}, nop)
}

// BenchmarkMix is the cost of a closed loop whose calls do nothing, of one kind and of several.
func BenchmarkMix(b *testing.B) {
	for _, kinds := range []int{1, 4, maxParts} {
		b.Run(fmt.Sprintf("kinds=%d", kinds), func(b *testing.B) {
			m := Mix{}
			for i := range kinds {
				m.Calls = append(m.Calls, MixedCall{fmt.Sprint(i), 1, nop})
			}
			measureRun(b, Config{Workers: runtime.GOMAXPROCS(0), Schedule: ClosedLoop}, m.Run)
		})
	}
}

// BenchmarkFailedCall is the cost of a closed loop whose calls do nothing but fail, by
// what their errors say.
func BenchmarkFailedCall(b *testing.B) {
	long := errors.New(strings.Repeat("<p>503 Service Unavailable</p>\n", 5000/31))
	different := make([]error, 1<<10)
	for i := range different {
		different[i] = fmt.Errorf("read tcp 127.0.0.1:%d->127.0.0.1:80: %w", 10_000+i, long)
	}
	for _, c := range []struct {
		name string
		call func(n int) error
	}{
		{"none", func(int) error { return nil }},
		{"50B", func(int) error { return errors.New("dial tcp 127.0.0.1:80: connect: connection refused") }},
		{"5000B", func(int) error { return long }},
		{"5000B-different", func(n int) error { return different[n%len(different)] }},
		{"5000B-built", func(n int) error { return built{n} }},
	} {
		b.Run("error="+c.name, func(b *testing.B) {
			n := 0
			measure(b, Config{Workers: 1, Schedule: ClosedLoop}, func(context.Context, int) error { n++; return c.call(n) })
		})
	}
}

// built is an error whose text is built each time that it is asked for.
type built struct{ n int }

func (e built) Error() string { return fmt.Sprintf("code %d: %5000s", e.n, "") }

// BenchmarkSaturated offers far more than the open loop can send.
func BenchmarkSaturated(b *testing.B) {
	for _, workers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			res := measure(b, Config{Workers: workers, Schedule: Constant(100e6)}, nop)
			b.ReportMetric(float64(res.Elapsed)/float64(res.Sent), "ns/op")
		})
	}
}

// BenchmarkPaced measures how late calls that do nothing are sent, with each way to
// wait. Besides the lag it reports how much of a core the waiting takes, and how much
// of the offered rate was achieved.
func BenchmarkPaced(b *testing.B) {
	for _, rate := range []float64{1e3, 1e4, 1e5, 1e6} {
		for _, w := range ways {
			b.Run(fmt.Sprintf("rate=%.0f/wait=%s", rate, w.name), func(b *testing.B) {
				res := measure(b, w.with(Config{Workers: 8, Schedule: Constant(rate)}), nop)
				b.ReportMetric(res.Goodput()/rate*100, "achieved-%")
			})
		}
	}
}

// BenchmarkWorkers shows that idle workers cost nothing.
func BenchmarkWorkers(b *testing.B) {
	for _, workers := range []int{64, 5000} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			measure(b, Config{Workers: workers, Schedule: Constant(1000)}, nop)
		})
	}
}

// BenchmarkFrozen calls a server that needs some 100 µs for a call and stands still for
// 200 ms every 2 s, with 8 workers in an open loop at 500 calls/s and in a closed loop.
// On two cores a call effectively takes 50 µs. Users then wait R(q) = F+s−(1−q)(1−ρ)P:
// p95 102.6 ms, p99 180.6 ms, p99.9 198.2 ms. The benchmark takes b.N/500 s: use
// -benchtime=10000x.
func BenchmarkFrozen(b *testing.B) {
	const period, freeze = 2 * time.Second, 200 * time.Millisecond
	for _, c := range []struct {
		name     string
		schedule Schedule
	}{{"closed", ClosedLoop}, {"open", Constant(500)}} {
		b.Run("loop="+c.name, func(b *testing.B) {
			duration := time.Duration(b.N) * time.Second / 500
			start := time.Now()
			res := measure(b, Config{Workers: 8, Schedule: c.schedule, Duration: duration}, func(context.Context, int) error {
				for busy := time.Now(); time.Since(busy) < 100*time.Microsecond; {
					runtime.Gosched()
				}
				if in := time.Since(start) % period; in > period-freeze {
					time.Sleep(period - in)
				}
				return nil
			})
			for _, q := range []float64{50, 95, 99, 99.9} {
				b.ReportMetric(float64(res.Response.Quantile(q/100)), fmt.Sprintf("p%v-ns", q))
			}
			b.ReportMetric(float64(res.Response.Max()), "max-ns")
		})
	}
}
