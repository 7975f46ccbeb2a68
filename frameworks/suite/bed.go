package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// bed holds the server and the client of the cases of one variant, from round
// to round of a benchmark. Both are started when a case first asks for them:
// a partial -bench match visits many variants and measures few.
type bed struct {
	v      Variant
	server *host.Host
	work   string // the server's workload
	client Client
	keys   string // the leaf that client and call were made for
	call   loadgen.Call
}

// measure runs one round, b.N calls, of a case, and reports it.
func (t *bed) measure(b *testing.B, l leaf) {
	if err := t.prepare(b.Context(), l); err != nil {
		b.Fatal(t.giveUp(err))
	}
	p := &probe{server: t.server}
	m, err := t.run(b, l, p)
	if err != nil {
		b.Fatal(t.giveUp(err))
	}
	if l.size >= 64<<10 {
		b.SetBytes(int64(l.size))
	}
	env.note(env.failed, b.Name(), loadbench.Failures(m.Result))
	env.note(env.warned, b.Name(), doubts(m, p))
	loadbench.Report(b, m.Metrics(env.detail)...)
	loadbench.Report(b, p.metrics(m.Sent)...)
	loadbench.Report(b, loadbench.Metric{Value: float64(t.conns(l)), Unit: "conns"})
}

// run makes the calls of a round. Some of them may have failed, not all.
func (t *bed) run(b *testing.B, l leaf, p *probe) (m loadbench.Measured, err error) {
	cfg := loadgen.Config{
		Workers: l.workers, Schedule: l.schedule, Timeout: env.timeout,
		Started: p.start, Stopped: p.stop, Progress: t.watch(),
	}
	if l.stalls {
		cfg.Duration = max(time.Duration(b.N)*time.Second/stallRate, minStallRun)
		defer t.stallDuring(&cfg)()
	}
	m, err = loadbench.Measure(b, cfg, t.call)
	switch {
	case err != nil:
		return m, err
	case m.OK == 0:
		return m, fmt.Errorf("no call succeeded: %s", loadbench.Failures(m.Result))
	case m.Failed > 0:
		return m, t.death()
	}
	return m, nil
}

// minStallRun is long enough for a call.
const minStallRun = 100 * time.Millisecond

// stallDuring has the server stand still during the run of cfg, and returns
// what waits for it to go on.
func (t *bed) stallDuring(cfg *loadgen.Config) (wait func()) {
	var stalled sync.WaitGroup
	server, duration, started := t.server, cfg.Duration.Seconds(), cfg.Started
	cfg.Started = func() {
		started()
		stalled.Go(func() {
			time.Sleep(time.Duration(stallAt * duration * 1e9))
			if server.Pause() == nil {
				time.Sleep(time.Duration(stallFor * duration * 1e9))
				server.Resume()
			}
		})
	}
	return stalled.Wait
}

// prepare makes the server, the client and the call that l needs.
func (t *bed) prepare(ctx context.Context, l leaf) (err error) {
	if t.work != l.workload {
		t.close()
	}
	if t.server == nil {
		if t.server, err = startServer(ctx, t.v, l.workload); err != nil {
			return err
		}
		t.work = l.workload
	}
	if t.client != nil && t.keys == l.keys {
		return nil
	}
	t.closeClient()
	t.keys = l.keys
	if t.client, err = t.v.Dial(t.server.Addr(), DialOptions{Conns: env.conns, Callers: l.workers}); err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	t.call = l.prepare(t.client)
	return warm(t.call, l.workers)
}

// death tells whether the server has died, and what it said last. Calls fail a
// moment before the end of the process is known.
func (t *bed) death() error {
	select {
	case <-t.server.Done():
		return t.server.Err()
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// giveUp closes what is left, of no use to the next case, and returns why:
// the server's death before its consequences.
func (t *bed) giveUp(err error) error {
	if t.server != nil && !errors.Is(err, errStuck) { // then it was killed
		err = cmp.Or(t.death(), err)
	}
	t.close()
	return fmt.Errorf("%s: %w", t.v.ID(), err)
}

func startServer(ctx context.Context, v Variant, workload string) (*host.Host, error) {
	h, err := host.Start(ctx, host.Config{Serve: v.ID(), Arg: env.works.arg(workload), CPUs: env.pinning.Server, Procs: env.serverProcs()})
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	env.correctVersions(h.Ready().Versions)
	return h, nil
}

// correctVersions prints the versions that a server reports where they are
// not those printed so far: they are what is measured. Servers start in the
// first round of a case, when no line is half printed.
func (e *environment) correctVersions(reported map[string]string) {
	changed := map[string]string{}
	for name, version := range reported {
		if e.versions[name] != version {
			e.versions[name], changed[name] = version, version
		}
	}
	if e.benchmarking {
		printConfig(os.Stdout, changed)
	}
}

// warm makes every worker call once, which opens the connections of pools, and
// then lets all of them call for a moment.
func warm(call loadgen.Call, workers int) error {
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { errs[w] = withinWatch(call, w) })
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil { // the others say the same
		return fmt.Errorf("warm-up: %w", err)
	}
	_, err := loadgen.Run(context.Background(), loadgen.Config{Workers: workers, Schedule: loadgen.ClosedLoop, Duration: warmFor, Drain: env.watchdog}, call)
	return err
}

const warmFor = 100 * time.Millisecond

// withinWatch makes a call that may take no longer than the watchdog allows.
func withinWatch(call loadgen.Call, worker int) error {
	ctx, cancel := context.WithTimeout(context.Background(), env.watchdog)
	defer cancel()
	return call(ctx, worker)
}

// watch returns a watchdog for a round: it ends the run when the server has
// died, and when no call has ended for a while. Killing the server frees the
// calls: their context cannot, since a context that can be cancelled costs
// some frameworks a slower path.
func (t *bed) watch() func(loadgen.Progress) error {
	ended, since := int64(-1), time.Duration(0)
	return func(p loadgen.Progress) error {
		if err := t.server.Err(); err != nil {
			return err
		}
		if p.Ended != ended {
			ended, since = p.Ended, p.Elapsed
		}
		if p.Elapsed-since < env.watchdog {
			return nil
		}
		t.server.Kill()
		return fmt.Errorf("%w for %v", errStuck, env.watchdog)
	}
}

var errStuck = errors.New("no call ended")

func (t *bed) closeClient() {
	if t.client != nil {
		t.client.Close()
	}
	t.client, t.call, t.keys = nil, nil, ""
}

func (t *bed) close() {
	t.closeClient()
	if t.server != nil {
		t.server.Stop()
	}
	t.server = nil
}

// conns is the number of connections that are really open, or where that
// cannot be read the number that the variant may open.
func (t *bed) conns(l leaf) int {
	if n, err := connections(t.server.Addr()); err == nil {
		return n
	}
	if t.v.Sharing == Pooled {
		return l.workers
	}
	return env.conns
}
