package loadgen

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var configurations = flag.Int("configurations", 30, "how many random configurations to run")

// TestRandomConfigurations runs loads of every kind in real time, which end in every
// way, and compares what Run returns with counts of its own.
func TestRandomConfigurations(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	n := *configurations
	if testing.Short() {
		n = min(n, 4)
	}
	for seed := range uint64(n) {
		l := newRandomLoad(seed)
		if !t.Run(l.name, l.run) {
			t.Logf("again: -run '^TestRandomConfigurations$' -configurations=%d", seed+1)
		}
	}
}

// randomLoad is a load drawn by a seed, with counts of its calls.
type randomLoad struct {
	name   string
	random *rand.Rand // used only by the test's goroutine
	cfg    Config
	rate   float64 // 0 for a closed loop
	procs  int
	async  bool
	cancel time.Duration // 0 for never
	panics string        // the hook that panics
	faults uint64        // each kind of fault happens to one call in this number; 0 for no faults

	made, nils, errs atomic.Int64 // calls that were made, that ended without an error, and with one
	release          chan struct{}
}

func newRandomLoad(seed uint64) *randomLoad {
	l := &randomLoad{random: rand.New(rand.NewPCG(seed, 1)), release: make(chan struct{})}
	l.procs = pick(l, 1, 2, 3, 4, 16, 64)
	l.cfg = Config{
		Workers:  pick(l, 1, 2, 7, 7, 64, 64, 500, 500, 5000, 5000, 100_000),
		Interval: pick(l, 10*time.Millisecond, 10*time.Millisecond, 17*time.Millisecond, 50*time.Millisecond, 130*time.Millisecond, 0),
		Drain:    pick(l, -1, time.Millisecond, 50*time.Millisecond, 300*time.Millisecond),
		Timeout:  pick(l, 0, 0, 0, 20*time.Millisecond),
	}
	l.cfg = pick(l, ways...).with(l.cfg)
	l.async = l.random.IntN(3) == 0
	l.faults = pick(l, uint64(0), 0, 50, 1000)
	l.panics = pick(l, "", "", "", "", "", "call", "Check", "OnStart", "OnStop", "OnProgress", "OnCall", "Schedule")
	l.cancel = pick(l, 0, 0, 0, time.Millisecond, 30*time.Millisecond, 100*time.Millisecond)
	l.setSchedule()
	l.setHooks()
	l.name = fmt.Sprintf("%d/procs=%d/workers=%d/rate=%.0f/calls=%d/for=%v/async=%v/panics=%s/cancel=%v", seed, l.procs, l.cfg.Workers, l.rate, l.cfg.Calls, l.cfg.Duration, l.async, l.panics, l.cancel)
	return l
}

func pick[T any](l *randomLoad, list ...T) T { return list[l.random.IntN(len(list))] }

func (l *randomLoad) setSchedule() {
	l.rate = pick(l, 0, 1000.0, 20_000, 20_000, 300_000)
	l.cfg.Schedule = ClosedLoop
	if l.rate > 0 {
		l.cfg.Schedule = Constant(l.rate)
	}
	if l.cfg.Duration = pick(l, 0, 60*time.Millisecond, 250*time.Millisecond); l.cfg.Duration == 0 {
		l.cfg.Calls = int64(pick(l, 1, 10, 500, 5000))
	}
	if l.rate > 0 && l.random.IntN(4) == 0 {
		l.cfg.MaxLag, l.cfg.MaxBacklog = pick(l, 0, 5*time.Millisecond), pick(l, int64(0), 20)
	}
}

func (l *randomLoad) setHooks() {
	if l.panics == "Schedule" {
		l.cfg.Schedule, l.rate = panicsAfter{l.cfg.Schedule, 50}, max(l.rate, 1)
	}
	hook := func(name string) {
		if l.panics == name {
			panic("boom")
		}
	}
	l.cfg.OnStart = func() { hook("OnStart") }
	l.cfg.OnStop = func() { hook("OnStop") }
	l.cfg.OnProgress = func(Progress) error { hook("OnProgress"); return nil }
	if l.panics == "Check" {
		l.cfg.Check = func(int) error { hook("Check"); return nil }
	}
	if l.panics == "OnCall" || l.random.IntN(4) == 0 {
		l.cfg.OnCall = func(int, Arrival) {
			if l.panics == "OnCall" {
				l.made.Add(1) // the call is about to be made
			}
			hook("OnCall")
		}
	}
}

type panicsAfter struct {
	Schedule
	calls int
}

func (p panicsAfter) Start() Arrivals {
	n := 0
	return arrivals(func() time.Duration {
		if n++; n > p.calls {
			panic("boom")
		}
		return time.Duration(n) * time.Microsecond
	})
}

// run makes the calls and checks the result.
func (l *randomLoad) run(t *testing.T) {
	runtime.GOMAXPROCS(l.procs)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if l.cancel > 0 {
		defer time.AfterFunc(l.cancel, cancel).Stop()
	}
	begin := time.Now()
	var res *Result
	var err error
	if l.async {
		res, err = runAsync(ctx, l.cfg, l.callAsync)
	} else {
		res, err = Run(ctx, l.cfg, l.call)
	}
	took := time.Since(begin)
	close(l.release)
	noMoreGoroutinesThan(t, before)
	l.check(t, res, err, took)
}

func noMoreGoroutinesThan(t *testing.T, before int) {
	for range 2000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	buf := make([]byte, 1<<14)
	t.Errorf("goroutines are left:\n%s", buf[:runtime.Stack(buf, true)])
}

var errRefused = errors.New("refused")

// fate returns the kind of fault of the next call.
func (l *randomLoad) fate() (kind uint64) {
	n := uint64(l.made.Add(1))
	if l.panics == "call" && n == 30 {
		panic("boom")
	}
	if l.faults == 0 {
		return 0
	}
	return n % l.faults
}

func (l *randomLoad) call(ctx context.Context, _ int) error {
	switch l.fate() {
	case 1:
		l.errs.Add(1)
		return errRefused
	case 2: // never returns
		<-l.release
		return nil
	case 3:
		select {
		case <-time.After(30 * time.Millisecond):
		case <-ctx.Done():
			l.errs.Add(1)
			return ctx.Err()
		}
	}
	l.nils.Add(1)
	return nil
}

func (l *randomLoad) callAsync(_ context.Context, _ int, done func(error)) {
	switch l.fate() {
	case 1:
		l.errs.Add(1)
		done(errRefused)
	case 2: // the reply is lost
	case 3:
		time.AfterFunc(30*time.Millisecond, func() { done(nil); done(errRefused) })
	case 4:
		l.nils.Add(1)
		done(nil)
		done(errRefused)
	default:
		l.nils.Add(1)
		done(nil)
	}
}

func (l *randomLoad) check(t *testing.T, res *Result, err error, took time.Duration) {
	var p *PanicError
	switch {
	case l.panics == "" && l.cancel == 0:
		if l.rate > 0 || l.cfg.Calls == 0 || l.faults == 0 {
			require.NoError(t, err)
		} // otherwise all callers may wait for calls that never return
	case l.panics == "OnStart":
		require.ErrorAs(t, err, &p)
	case err != nil && !errors.Is(err, context.Canceled) && (l.rate > 0 || l.cfg.Calls == 0):
		require.ErrorAs(t, err, &p)
	}
	require.NotNil(t, res)
	checkSums(t, res)
	require.NoError(t, res.check(), "it can be read again")
	assert.Equal(t, l.made.Load(), res.Sent, "sent is what was made")
	assert.LessOrEqual(t, res.OK, l.made.Load()-l.errs.Load())
	if l.faults == 0 && l.panics == "" && res.Failed == 0 {
		assert.Equal(t, l.nils.Load(), res.OK)
	}
	if l.rate > 0 && err == nil && l.panics != "Schedule" {
		assert.Equal(t, l.asked(), res.Due, "due is what the schedule asked for")
	}
	assert.Less(t, took, l.cfg.Duration+20*time.Second+time.Duration(l.cfg.Workers)*time.Millisecond/2, "the run ends: goroutines take their time under the race detector")
}

// asked returns how many calls the schedule has.
func (l *randomLoad) asked() int64 {
	if l.cfg.Calls > 0 {
		return l.cfg.Calls
	}
	return int64(math.Ceil(l.cfg.Duration.Seconds() * l.rate))
}
