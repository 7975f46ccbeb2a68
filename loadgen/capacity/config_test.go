package capacity

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fifo is a call of a server with one queue, in fake time.
func fifo(service func() time.Duration) loadgen.Call {
	var mu sync.Mutex
	start, free := time.Now(), time.Duration(0)
	return func(context.Context, int) error {
		mu.Lock()
		now := time.Since(start)
		free = max(free, now) + service()
		wait := free - now
		mu.Unlock()
		time.Sleep(wait)
		return nil
	}
}

// find searches in fake time, and returns how long the search took.
func find(t *testing.T, s Config, server func() loadgen.Call) (c *Result, took time.Duration, err error) {
	s.RuntimeTimers = true
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel() // ends calls that do not return
		start := time.Now()
		c, err = Find(ctx, s, server().Run)
		took = time.Since(start)
	})
	return c, took, err
}

// TestCapacityBadInput wants one clear sentence before any probe.
func TestCapacityBadInput(t *testing.T) {
	good := Config{Quantile: .99, Latency: 5 * time.Millisecond, Workers: 10}
	quick := service(time.Millisecond)
	broken := func(context.Context, int) error { time.Sleep(time.Millisecond); return errors.New("down") }
	var n atomic.Int64
	flaky := func(context.Context, int) error {
		time.Sleep(time.Millisecond)
		if n.Add(1)%10 == 0 {
			return errors.New("flaky")
		}
		return nil
	}
	for _, c := range []struct {
		about  string
		change func(*Config)
		call   loadgen.Call
		say    string
	}{
		{"a quantile of 0", func(s *Config) { s.Quantile = 0 }, quick, "Quantile is 0: it must be more than 0 and less than 1"},
		{"a quantile of 1", func(s *Config) { s.Quantile = 1 }, quick, "Quantile is 1:"},
		{"a percentage", func(s *Config) { s.Quantile = 99 }, quick, "Quantile is 99:"},
		{"a quantile that is no number", func(s *Config) { s.Quantile = math.NaN() }, quick, "Quantile is NaN:"},
		{"no latency", func(s *Config) { s.Latency = 0 }, quick, "Latency is 0s"},
		{"every call may fail", func(s *Config) { s.ErrorRate = 1 }, quick, "ErrorRate is 1:"},
		{"an error rate that is no number", func(s *Config) { s.ErrorRate = math.NaN() }, quick, "ErrorRate is NaN:"},
		{"a negative number of probes", func(s *Config) { s.MaxProbes = -1 }, quick, "MaxProbes is -1"},
		{"no objective", func(s *Config) { s.Quantile, s.Latency = 0, 0 }, quick, "no objective: set Quantile and Latency"},
		{"a negative slack", func(s *Config) { s.Slack = -1 }, quick, "Slack is -1ns"},
		{"a negative timeout", func(s *Config) { s.Timeout = -1 }, quick, "Timeout is -1ns: it must not be negative"},
		{"a negative probe time", func(s *Config) { s.ProbeTime = -1 }, quick, "ProbeTime is -1ns: it must not be negative"},
		{"a negative warm-up", func(s *Config) { s.Warmup = -1 }, quick, "Warmup is -1ns: it must not be negative"},
		{"a batch too short to count in", func(s *Config) { s.Batch = time.Millisecond }, quick, "Batch is 1ms: it must be from 10ms to 1m0s"},
		{"a batch too long", func(s *Config) { s.Batch = time.Hour }, quick, "Batch is 1h0m0s: it must be from 10ms to 1m0s"},
		{"no workers", func(s *Config) { s.Workers = 0 }, quick, "Workers is 0"},
		{"an objective below the service time", func(s *Config) { s.Latency = time.Millisecond / 2 }, quick, "p99 ≤ 500µs cannot be met: even for one caller alone it is 1"},
		{"one call that takes longer than the run of a single caller", nil, service(3 * time.Second), "even for one caller alone it is 3.00"},
		{"a server that fails every call", nil, broken, "no call succeeded, of one caller alone: 1000 × down"},
		{"a server that fails some", func(s *Config) { s.ErrorRate = .01 }, flaky, "100 of 1000 calls of one caller alone fail, more than ErrorRate 0.01"},
		{"a server that does not return", nil, service(time.Hour), "calls do not return"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := good
			if c.change != nil {
				c.change(&s)
			}
			l, _, err := find(t, s, func() loadgen.Call { return c.call })
			assert.ErrorContains(t, err, c.say)
			assert.Nil(t, l)
		})
	}
}

// TestCapacityEnds searches early, and wants what was found until then.
func TestCapacityEnds(t *testing.T) {
	stop := errors.New("stop")
	for _, c := range []struct {
		about  string
		probes int // probes that are made
		err    error
		change func(*Config)
	}{
		{"after MaxProbes", 2, nil, func(s *Config) { s.MaxProbes = 2 }},
		{"when OnProgress returns an error", 0, stop, func(s *Config) { s.OnProgress = func(loadgen.Progress) error { return stop } }},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := Config{Workers: 100, Quantile: .99, Latency: 50 * time.Millisecond}
			seen := 0
			s.OnProbe = func(Probe) { seen++ }
			c.change(&s)
			l, _, err := find(t, s, func() loadgen.Call { return service(time.Millisecond) })
			assert.ErrorIs(t, err, c.err)
			assert.Equal(t, c.probes, seen)
			if c.err == nil {
				require.Len(t, l.Probes, seen)
				assert.True(t, l.Probes[0].Holds)
				assert.True(t, math.IsInf(l.High, 1), "none failed")
				assert.Equal(t, l.Probes[1].Rate, l.Rate)
			}
		})
	}
}

// TestProbesAreLongEnoughToBeCertain or the search is refused before it takes minutes, with
// the least that is enough.
func TestProbesAreLongEnoughToBeCertain(t *testing.T) {
	for _, c := range []struct {
		about      string
		probe, set time.Duration
		probes     int
		batch      time.Duration
		refused    string
		why        string
	}{
		{"the defaults leave 60 batches", 0, 0, 2, 250 * time.Millisecond, "", ""},
		{"a batch grows shorter with the probe, so that 24 fit", 4800 * time.Millisecond, 0, 2, 200 * time.Millisecond, "", ""},
		{"also where 24 do not divide the probe", 5 * time.Second, 0, 2, 5 * time.Second / 24, "", ""},
		{"a probe for which 24 batches are as short as can be", 240 * time.Millisecond, 0, 2, 10 * time.Millisecond, "", ""},
		{"a probe too short for 24", 239 * time.Millisecond, 0, 2, 10 * time.Millisecond, "ProbeTime is 239ms, which has 23 batches of 10ms, and no outcome is certain before 24: set it to 240ms or more, or leave Batch 0 and set it to 240ms or more", ""},
		{"a batch that is set stays, and leaves too few", 5 * time.Second, 250 * time.Millisecond, 2, 250 * time.Millisecond, "which has 20 batches of 250ms, and no outcome is certain before 24: set it to 6s or more", ""},
		{"the most probes are 20 by default", 5 * time.Second, 250 * time.Millisecond, 0, 250 * time.Millisecond, "which has 20 batches of 250ms", ""},
		{"a single probe is no search, which chance could lead astray", 5 * time.Second, 250 * time.Millisecond, 1, 250 * time.Millisecond, "", "; 20 batches are too few to be certain"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			s := Config{Quantile: .9, Latency: 50 * time.Millisecond, Workers: 10, ProbeTime: c.probe, Batch: c.set, MaxProbes: c.probes}
			assert.Equal(t, c.batch, s.withDefaults().Batch)
			l, _, err := find(t, s, func() loadgen.Call { return service(500 * time.Microsecond) })
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.why == "", l.Probes[0].Certain, "a server that is fast at this rate")
			assert.Regexp(t, "over 50ms"+c.why+"$", l.Probes[0].Why)
		})
	}
}

// TestEveryProbeTimeCanBeCertain from 1 ms to minutes, or is refused: the judge ends no probe
// before it has the batches and the calls, however late it hears of them.
func TestEveryProbeTimeCanBeCertain(t *testing.T) {
	for probe := time.Millisecond; probe < 10*time.Minute; probe += probe/5 + 100_001 {
		for _, q := range []float64{.5, .9, .99, .999} {
			s := Config{Quantile: q, Latency: time.Second, Workers: 1, ProbeTime: probe, ErrorRate: .01}
			if s.validate() != nil {
				assert.Less(t, probe, 240*time.Millisecond)
				continue
			}
			s = s.withDefaults()
			each := int64(math.Ceil(s.callsNeeded() / decisiveBatches))
			j, batches := &judge{Config: s, rate: float64(each) / s.Batch.Seconds()}, 0
			all := new(loadgen.Histogram)
			all.Record(time.Millisecond, each)
			for !j.decided {
				batches++
				late := 35*time.Millisecond + s.Batch // of a machine that is busy
				_ = j.onProgress(loadgen.Progress{Elapsed: time.Duration(batches)*s.Batch + late, Last: loadgen.Point{OK: each}, Responses: all})
			}
			assert.True(t, j.certain && j.holds, "%v, p%v: %d batches", probe, 100*q, batches)
			assert.Equal(t, decisiveBatches, batches)
		}
	}
}

// TestFiguresOfAProbeAreOfTheSameCalls though the Result of its run has more, which
// ended after the last batch that was judged.
func TestFiguresOfAProbeAreOfTheSameCalls(t *testing.T) {
	for _, c := range []struct {
		about      string
		slow       int64 // of the 1000 calls due in every second batch
		gone       int64 // of them: they do not end, nor do others
		failed     int64
		unjudged   int64 // slow calls after the last batch
		failsAfter int64
		why        string
	}{
		{"the run has no other calls", 16, 0, 0, 0, 0, "p99 1ms, 0.8 % over 10ms"},
		{"slow calls end after the last batch", 16, 0, 0, 2000, 0, "p99 1ms, 0.8 % over 10ms"},
		{"the judged calls are slow and the others are not", 24, 0, 0, 0, 0, "p99 34.01ms, 1.2 % over 10ms"},
		{"calls fail", 16, 0, 2, 0, 0, "p99 1ms, 0.8 % over 10ms, 0.1 % failed: down"},
		{"calls fail after the last batch only", 16, 0, 0, 0, 100, "p99 1ms, 0.8 % over 10ms"},
		{"in half of the batches the server stands still", 0, 1000, 0, 0, 0, "p99 more than 10ms, 50 % over 10ms"},
	} {
		t.Run(c.about, func(t *testing.T) {
			j := &judge{Config: Config{Quantile: .99, Latency: 10 * time.Millisecond, ErrorRate: .5}.withDefaults(), rate: 4000}
			res := new(loadgen.Result)
			for i := range int64(24) {
				all, even := new(loadgen.Histogram), 1-i%2
				all.Record(34*time.Millisecond, c.slow*even)
				all.Record(time.Millisecond, 1000-(c.slow+c.gone)*even)
				res.Response.Merge(all)
				res.Failed += c.failed * even
				_ = j.onProgress(loadgen.Progress{Elapsed: time.Duration(i+1) * j.Batch, Last: loadgen.Point{OK: all.Count() - c.failed*even, Failed: c.failed * even}, Responses: all})
			}
			res.Response.Record(34*time.Millisecond, c.unjudged)
			res.Failed += c.failsAfter
			res.Sent = res.Response.Count()
			if res.Failed > 0 {
				res.ErrorKinds = []loadgen.ErrorKind{{Text: "down", Count: res.Failed}}
			}
			assert.Equal(t, c.why, j.verdict(res).Why)
		})
	}
}

// TestTheAnswerIsOfLineAndBisection wants the rate and interval that both give together.
// The bisection ended between 1000 and 1010 calls/s.
func TestTheAnswerIsOfLineAndBisection(t *testing.T) {
	for _, c := range []struct {
		about           string
		line            fit // none if zero
		goesOn          bool
		rate, low, high float64
	}{
		{"without a line the rate is the middle, and the interval that of certain verdicts", fit{}, false, 1005, 500, 2000},
		{"a line that is better known than the bisection encloses the bisection's two rates", fit{rate: 1006, reach: 2}, false, 1006, 1000, 1010},
		{"a wider line has its own interval", fit{rate: 1006, reach: 20}, false, 1006, 986, 1026},
		{"a line that is too low moves the rate by 2 %, and the interval reaches to the upper rate", fit{rate: 900, reach: 20}, false, 980, 880, 1010},
		{"a line that is too high moves it by 2 %, and the interval reaches to the lower rate", fit{rate: 1100, reach: 20}, false, 1030.2, 1000, 1120},
		{"a vague line leaves the middle, and widens the interval", fit{rate: 1000, reach: 600}, false, 1005, 400, 1600},
		{"a search that went on has the line's rate and interval", fit{rate: 1100, reach: 20}, true, 1100, 1080, 1120},
	} {
		t.Run(c.about, func(t *testing.T) {
			none := Probe{odds: math.Inf(-1), Holds: true}
			f := &finder{Config: Config{Quantile: .99}, holds: 1000, fails: 1010, goesOn: c.goesOn}
			for _, rate := range []float64{500, 1000, 1010, 2000} {
				p := none
				p.Rate, p.Holds, p.Certain = rate, rate <= 1000, rate == 500 || rate == 2000
				f.Probes = append(f.Probes, p)
			}
			f.conclude()
			if c.line.rate > 0 {
				f.answer(c.line)
			}
			assert.InDeltaSlice(t, []float64{c.rate, c.low, c.high}, []float64{f.Rate, f.Low, f.High}, 1e-9)
		})
	}
}
