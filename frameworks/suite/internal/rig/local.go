package rig

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// local is the load of one client in this process.
type local struct {
	job
	client   framework.Client
	end      func()        // of what was opened beside the client
	patience time.Duration // with a call
}

// newLocal makes the client of a case, or of some of its workers with some of
// its connections, and warms it.
func newLocal(s *Settings, c plan.Case, addrs []string, workers, conns int) (*local, error) {
	client, err := dialAll(c.Variant, addrs, framework.DialOptions{Conns: conns, Callers: workers})
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	ctx, end := context.WithCancel(context.Background())
	l := leafOf(c)
	t := &local{client: client, end: end, patience: s.watchdog + l.patience}
	t.job, err = l.prepare(ctx, client, requestSpec{workers: workers, size: l.Size, compressible: s.payload == payloadCompressible})
	if err == nil {
		err = t.warm(workers, warmFor(s.Once))
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// run implements load.
func (t *local) run(b Bench, n int, cfg loadgen.Config) (m measured, err error) {
	cfg.Check = t.checkAfter(cfg.Check)
	if t.async != nil {
		m.Measured, err = loadbench.MeasureAsync(b, n, cfg, t.async)
	} else {
		m.Measured, err = loadbench.Measure(b, n, cfg, t.call)
	}
	return m, err
}

// loads makes calls without a benchmark around them.
func (t *local) loads(cfg loadgen.Config) (*loadgen.Result, error) {
	cfg.Check = t.checkAfter(cfg.Check)
	if t.async != nil {
		return loadgen.RunAsync(context.Background(), cfg, t.async)
	}
	return loadgen.Run(context.Background(), cfg, t.call)
}

// checkAfter is the check of the job after that of the run.
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

// close implements load.
func (t *local) close() {
	t.end()
	t.client.Close()
}

// warm makes every worker call once, which opens the connections of pools, and
// then lets all of them call for a moment.
func (t *local) warm(workers int, whole time.Duration) error {
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { errs[w] = t.once(w) })
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil { // the others say the same
		return fmt.Errorf("warm-up: %w", err)
	}
	_, err := t.loads(loadgen.Config{Workers: workers, Schedule: loadgen.ClosedLoop, Duration: whole, Drain: t.patience})
	return err
}

// warmFor is how long all workers call before anything is measured. It is short
// where a benchmark runs once, to see that it runs.
func warmFor(once bool) time.Duration {
	if once {
		return 5 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// once makes a call that may take no longer than the watchdog allows.
func (t *local) once(worker int) error {
	ctx, cancel := context.WithTimeout(context.Background(), t.patience)
	defer cancel()
	if t.async == nil {
		return t.call(ctx, worker)
	}
	done := make(chan error, 1)
	t.async(ctx, worker, func(err error) { done <- err })
	return <-done
}
