package rig

import (
	"cmp"
	"context"
	"errors"
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
	t.job, err = l.prepare(ctx, client, demand{workers: workers, size: l.Size, compressible: s.payload == payloadCompressible})
	if err == nil {
		err = t.warm(workers, warmFor(s.Once))
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// dialAll makes one client of all servers.
func dialAll(v framework.Variant, addrs []string, o framework.DialOptions) (framework.Client, error) {
	switch {
	case len(addrs) == 1:
		return v.Dial(addrs[0], o)
	case v.DialAll != nil:
		return v.DialAll(addrs, o)
	default:
		return dialEach(v, addrs, o)
	}
}

// dealt is a client for each of several servers, of a framework that has no
// load balancing: workers are dealt out among them.
type dealt []framework.Client

func dialEach(v framework.Variant, addrs []string, o framework.DialOptions) (framework.Client, error) {
	var d dealt
	for _, addr := range addrs {
		c, err := v.Dial(addr, o)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d = append(d, c)
	}
	return d, nil
}

// Echo implements Client.
func (d dealt) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	calls := make([]loadgen.Call, len(d))
	for i, c := range d {
		calls[i] = c.Echo(requests, check)
	}
	return func(ctx context.Context, worker int) error { return calls[worker%len(calls)](ctx, worker) }
}

// Close implements Client.
func (d dealt) Close() error {
	var errs []error
	for _, c := range d {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
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
