package load

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Local is the load of one client in this process.
type Local struct {
	call.Job
	Client    framework.Client
	addrs     []string
	datagrams bool   // the connections are of UDP
	end       func() // closes what prepare opened beside the client
	closing   sync.Once
	Patience  time.Duration // how long a call may take
	timeout   time.Duration // of each call of the case; 0 for none
	Retry     call.Retry
}

// NewLocal makes and warms the client of a case. workers and conns are those of the
// case, or a part of them if several processes share the case.
func NewLocal(s *Settings, c plan.Case, addrs []string, workers, conns int) (*Local, error) {
	patience := s.Patience(c)
	client, err := dialInTime(c, addrs, framework.DialOptions{Conns: conns, Callers: workers, Patience: s.Watchdog + c.Patience(), Weights: c.Weights})
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	ctx, end := context.WithCancel(context.Background())
	t := &Local{Client: client, addrs: addrs, datagrams: c.Datagrams, end: end, Patience: patience, timeout: c.Timeout, Retry: s.Retry}
	t.Job, err = limit.Get(limit.ToOpen(patience, workers), func() (call.Job, error) {
		return call.LeafOf(c).Prepare(ctx, client, s.Requests(c, workers))
	}, func(call.Job) {}) // closing the client ends it
	if err == nil {
		err = t.Warm(workers, s.WarmUp())
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// OfJob returns the load of a job that has its clients itself, and is warm.
func OfJob(j call.Job, patience time.Duration) *Local {
	return &Local{Job: j, Patience: patience, end: func() {}}
}

// Run implements load.
func (t *Local) Run(b Bench, n int, cfg loadgen.Config) (m Measured, err error) {
	var counts call.Repeats
	cfg.Check = t.checkAfter(cfg.Check)
	m.Measured, err = loadbench.Measure(b, n, cfg, t.counting(&counts))
	if t.Retry.On() && m.Result != nil {
		m.More = append(m.More, call.Repeated(counts.Sum(), m.Sent))
	}
	if m.Result != nil {
		m.More = append(m.More, t.Sizes.Taken().Metrics(m.Goodput())...)
	}
	return m, err
}

// Loads implements load.
func (t *Local) Loads(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	var counts call.Repeats
	return t.loads(ctx, cfg, &counts)
}

// loads is Loads, and counts the calls that were repeated.
func (t *Local) loads(ctx context.Context, cfg loadgen.Config, counts *call.Repeats) (*loadgen.Result, error) {
	cfg.Check = t.checkAfter(cfg.Check)
	return t.counting(counts)(ctx, cfg)
}

// counting makes the calls of a run, and counts those that were repeated. With a retry
// policy each attempt has the Timeout of the run, which then bounds no whole call.
func (t *Local) counting(counts *call.Repeats) loadgen.Runner {
	if !t.Retry.On() || t.Runs != nil || t.Async != nil { // these are refused before, see leaf.noRetry
		return t.Job.Runner()
	}
	return func(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
		timeout := cfg.Timeout
		cfg.Timeout, *counts = 0, make(call.Repeats, cfg.Workers)
		return loadgen.Run(ctx, cfg, t.Retry.Over(t.Call, timeout, *counts))
	}
}

// checkAfter returns a check that does first, and then the job's own check.
func (t *Local) checkAfter(first func(int) error) func(int) error {
	switch {
	case first == nil:
		return t.Check
	case t.Check == nil:
		return first
	}
	return func(worker int) error { return cmp.Or(first(worker), t.Check(worker)) }
}

// PIDs implements load.
func (t *Local) PIDs() []int { return []int{os.Getpid()} }

// Conns implements load.
func (t *Local) Conns() (int, error) { return sockets.Open(t.datagrams, t.addrs, os.Getpid()) }

// Close implements load.
func (t *Local) Close() error {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		t.closing.Do(func() {
			t.end()
			if t.Client != nil {
				t.Client.Close()
			}
		})
	}()
	select {
	case <-closed:
		return nil
	case <-time.After(CloseTimeout):
		return fmt.Errorf("it was not closed within %v: it may run beside what was measured next", CloseTimeout)
	}
}

// CloseTimeout bounds the close of a client: some wait for calls that never return.
const CloseTimeout = 5 * time.Second

// Warm has every worker call once, which fills connection pools, and then lets all
// workers call for a moment.
func (t *Local) Warm(workers int, cfg loadgen.Config) error {
	if t.Call == nil && t.Async == nil {
		return nil
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { errs[w] = t.CallOnce(w) })
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil { // the first error is enough
		return fmt.Errorf("warm-up: %w", err)
	}
	cfg.Workers, cfg.Schedule, cfg.Drain = workers, loadgen.ClosedLoop, t.Patience
	_, err := t.Loads(context.Background(), cfg)
	return err
}

// CallOnce makes a call, which may take as long as the watchdog allows, and checks it. A
// call that heeds no deadline, as on a stream, is given up later.
func (t *Local) CallOnce(worker int) error {
	return limit.Time(DrainAfter(t.Patience), func() error {
		return t.CallUntil(context.Background(), worker, t.Patience)
	})
}

// CallUntil is makeCall, until ctx or the timeout ends.
func (t *Local) CallUntil(ctx context.Context, worker int, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return t.checked(ctx, worker)
}

// checked makes a call, and checks it.
func (t *Local) checked(ctx context.Context, worker int) error {
	if err := t.makeUnchecked(ctx, worker); err != nil || t.Check == nil {
		return err
	}
	return t.Check(worker)
}

func (t *Local) makeUnchecked(ctx context.Context, worker int) error {
	if t.Async == nil {
		return t.Call(ctx, worker)
	}
	done := make(chan error, 1)
	t.Async(ctx, worker, func(err error) { done <- err })
	return <-done
}

// ClientProcs is the most CPUs that the load can use.
func ClientProcs() int { return runtime.GOMAXPROCS(0) }

// Timed makes a call with the deadline of its case, and checks it.
func (t *Local) Timed() error {
	if t.timeout > 0 {
		return t.CallUntil(context.Background(), 0, t.timeout)
	}
	return t.checked(context.Background(), 0)
}
