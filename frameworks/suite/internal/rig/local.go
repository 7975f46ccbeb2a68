package rig

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// local is the load of one client in this process.
type local struct {
	job
	client   framework.Client
	addrs    []string
	end      func() // closes what prepare opened beside the client
	closing  sync.Once
	patience time.Duration // how long a call may take
	timeout  time.Duration // of each call of the case; 0 for none
	retry    retry
}

// newLocal makes and warms the client of a case. workers and conns are those of the
// case, or a part of them if several processes share the case.
func newLocal(s *loadSettings, c plan.Case, addrs []string, workers, conns int) (*local, error) {
	patience := s.patience(c)
	client, err := dialAll(c.Variant, addrs, framework.DialOptions{Conns: conns, Callers: workers, Patience: s.Watchdog + c.Patience()})
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	ctx, end := context.WithCancel(context.Background())
	t := &local{client: client, addrs: addrs, end: end, patience: patience, timeout: c.Timeout, retry: s.Retry}
	t.job, err = leafOf(c).prepare(ctx, client, s.requestSpec(c, workers))
	if err == nil {
		err = t.warm(workers, s.warmUp())
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// localOf returns the load of a job that has its clients itself, and is warm.
func localOf(j job, patience time.Duration) *local {
	return &local{job: j, patience: patience, end: func() {}}
}

// run implements load.
func (t *local) run(b Bench, n int, cfg loadgen.Config) (m measured, err error) {
	var counts repeats
	cfg.Check = t.checkAfter(cfg.Check)
	m.Measured, err = loadbench.MeasureBy(b, n, cfg, t.counting(&counts))
	if t.retry.on() && m.Result != nil {
		m.more = append(m.more, counts.metrics(m.Sent)...)
	}
	return m, err
}

// loads makes calls outside a benchmark.
func (t *local) loads(cfg loadgen.Config) (*loadgen.Result, error) {
	cfg.Check = t.checkAfter(cfg.Check)
	return t.runner()(context.Background(), cfg)
}

// runner makes the calls of a run.
func (t *local) runner() loadgen.Runner { return t.counting(new(repeats)) }

// counting makes the calls of a run, and counts those that were repeated. With a retry
// policy each attempt has the Timeout of the run, which then bounds no whole call.
func (t *local) counting(counts *repeats) loadgen.Runner {
	if !t.retry.on() || t.runs != nil || t.async != nil { // these are refused before, see leaf.noRetry
		return t.job.runner()
	}
	return func(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
		timeout := cfg.Timeout
		cfg.Timeout, *counts = 0, make(repeats, cfg.Workers)
		return loadgen.Run(ctx, cfg, t.retry.over(t.call, timeout, *counts))
	}
}

// checkAfter returns a check that does first, and then the job's own check.
func (t *local) checkAfter(first func(int) error) func(int) error {
	switch {
	case first == nil:
		return t.check
	case t.check == nil:
		return first
	}
	return func(worker int) error { return cmp.Or(first(worker), t.check(worker)) }
}

// pids implements load.
func (t *local) pids() []int { return []int{os.Getpid()} }

// conns implements load.
func (t *local) conns() (int, error) { return connections(t.addrs, os.Getpid()) }

// close implements load.
func (t *local) close() error {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		t.closing.Do(func() {
			t.end()
			if t.client != nil {
				t.client.Close()
			}
		})
	}()
	select {
	case <-closed:
		return nil
	case <-time.After(closeTimeout):
		return fmt.Errorf("it was not closed within %v: it may run beside what was measured next", closeTimeout)
	}
}

// closeTimeout bounds the close of a client: some wait for calls that never return.
const closeTimeout = 5 * time.Second

// warm has every worker call once, which fills connection pools, and then lets all
// workers call for a moment.
func (t *local) warm(workers int, cfg loadgen.Config) error {
	if t.call == nil && t.async == nil {
		return nil
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { errs[w] = t.makeCall(w) })
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil { // the first error is enough
		return fmt.Errorf("warm-up: %w", err)
	}
	cfg.Workers, cfg.Schedule, cfg.Drain = workers, loadgen.ClosedLoop, t.patience
	_, err := t.loads(cfg)
	return err
}

// makeCall makes a call, which may take as long as the watchdog allows, and checks it.
func (t *local) makeCall(worker int) error {
	return t.makeCallUntil(context.Background(), worker, t.patience)
}

// makeCallUntil is makeCall, until ctx or the timeout ends.
func (t *local) makeCallUntil(ctx context.Context, worker int, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return t.checked(ctx, worker)
}

// checked makes a call, and checks it.
func (t *local) checked(ctx context.Context, worker int) error {
	if err := t.makeUnchecked(ctx, worker); err != nil || t.check == nil {
		return err
	}
	return t.check(worker)
}

func (t *local) makeUnchecked(ctx context.Context, worker int) error {
	if t.async == nil {
		return t.call(ctx, worker)
	}
	done := make(chan error, 1)
	t.async(ctx, worker, func(err error) { done <- err })
	return <-done
}

// connections counts those of a process to all addresses.
func connections(addrs []string, pid int) (sum int, err error) {
	for _, addr := range addrs {
		n, err := sockets.Connections(addr, pid)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// clientProcs is the most CPUs that the load can use.
func clientProcs() int { return runtime.GOMAXPROCS(0) }

// timed makes a call with the deadline of its case, and checks it.
func (t *local) timed() error {
	if t.timeout > 0 {
		return t.makeCallUntil(context.Background(), 0, t.timeout)
	}
	return t.checked(context.Background(), 0)
}
