package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// bed holds the servers and the load of the cases of one variant at a time,
// from round to round of a benchmark. Both are started when a case first asks
// for them: a partial -bench match visits many variants and measures few. They
// are closed before another variant's are, whose memory is measured.
type bed struct {
	v       target
	net     network
	servers []server
	work    string             // the servers' workload
	garbler *garbler           // between the load and the server, for -fault=garbage
	proxies []framework.Server // between the load and the servers, for net=proxy-1ms
	dialed  []string           // the addresses that the load is given
	load    load
	keys    string                    // the leaf that load was made for
	idle    int64                     // bytes that this process had resident before that, for leaf.peaks
	limits  map[string]*loadgen.Limit // what searches for capacity have found, by the case's keys
}

// load makes the calls of a case: in this process, or in others.
type load interface {
	run(b *testing.B, cfg loadgen.Config) (measured, error)
	pids() []int // of the processes that make them
	close()
}

// measured is a run, and what else its load has to report.
type measured struct {
	loadbench.Measured
	more []loadbench.Metric
}

// measure runs one round, b.N calls, of a case, and reports it.
func (t *bed) measure(b *testing.B, c benchCase) {
	if err := t.prepare(b.Context(), c); err != nil {
		b.Fatal(t.giveUp(err))
	}
	if c.slo != nil && c.percent == 0 {
		t.measureCapacity(b, c)
		return
	}
	if c.slo != nil {
		if err := t.offer(b, &c); err != nil {
			b.Fatal(t.giveUp(err))
		}
	}
	p := &probe{servers: t.servers, peaks: c.peaks, idle: t.idle, inFlight: int64(c.workers * c.size)}
	m, err := t.run(b, c, p)
	if m.Result == nil || m.OK == 0 && b.N > 1 { // the one call of the first round may fail
		b.Fatal(t.giveUp(err))
	}
	if c.size >= 64<<10 {
		b.SetBytes(int64(c.size))
	}
	env.note(env.failed, b.Name(), failures(err, m.Result))
	env.note(env.warned, b.Name(), doubts(m, p))
	list := slices.Concat(m.Metrics(env.detail), m.more, p.metrics(m), c.offeredRate(), []loadbench.Metric{{Value: float64(t.conns(c)), Unit: "conns"}})
	loadbench.Report(b, list...)
	env.results.round(record(b, m, p, list), b.N)
	if c.peaks {
		env.note(env.hungry, b.Name(), p.appetite())
	}
	if c.compared != "" {
		env.shares.note(carried{
			kind: c.compared + "/net=" + c.net.name, framework: c.v.Framework, mode: "mode=" + c.way + c.v.OptionalKeys(),
			reference: c.v.Rank == framework.Reference, rate: float64(m.OK) * float64(c.size) / m.Elapsed.Seconds(),
		})
	}
	if err != nil { // the next round finds nothing broken
		t.close()
	}
}

// record is what -results keeps of a round. Of its line it lacks what package
// testing counts itself.
func record(b *testing.B, m measured, p *probe, list []loadbench.Metric) *loadgen.Record {
	values := metrics{}
	loadbench.Report(values, list...)
	return &loadgen.Record{Name: b.Name(), Start: p.started, Config: env.config(), Metrics: values, Result: m.Result}
}

// failures says why a run ended early, and what calls failed with.
func failures(err error, r *loadgen.Result) string {
	kinds := loadbench.Failures(r)
	if err == nil || kinds == "" {
		return strings.TrimSpace(fmt.Sprint(cmp.Or(err, errors.New(kinds))))
	}
	return err.Error() + "; " + kinds
}

// run makes the calls of a round. The error says why they ended early, or that
// a server died.
func (t *bed) run(b *testing.B, c benchCase, p *probe) (m measured, err error) {
	cfg := loadgen.Config{
		Workers: c.workers, Schedule: c.schedule, Timeout: env.timeout,
		Started: p.start, Stopped: p.stop, Progress: t.watch(c.patience),
	}
	if c.stalls {
		cfg.Duration = max(time.Duration(b.N)*time.Second/stallRate, minStallRun)
		defer t.stallDuring(&cfg)()
	}
	if env.fault != "" {
		defer t.breakDuring(&cfg)()
	}
	if env.profiles.wanted() {
		env.profiles.during(&cfg, t.servers[0])
	}
	m, err = t.load.run(b, cfg)
	switch {
	case m.Result == nil:
		return m, err
	case err == nil && m.OK == 0:
		err = fmt.Errorf("no call succeeded: %s", loadbench.Failures(m.Result))
	case err == nil && m.Failed > 0:
		err = t.death()
	}
	if m.Closed && m.Sent < int64(b.N) {
		m.more = append(m.more, loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"})
	}
	return m, err
}

// minStallRun is long enough for a call.
const minStallRun = 100 * time.Millisecond

// stallDuring has the server stand still during the run of cfg, and returns
// what waits for it to go on.
func (t *bed) stallDuring(cfg *loadgen.Config) (wait func()) {
	duration := cfg.Duration.Seconds()
	return during(cfg, func() {
		time.Sleep(time.Duration(stallAt * duration * 1e9))
		if t.servers[0].Pause() == nil {
			time.Sleep(time.Duration(stallFor * duration * 1e9))
			t.servers[0].Resume()
		}
	})
}

// during has something happen beside the run of cfg, from its start on, and
// returns what waits for its end.
func during(cfg *loadgen.Config, happen func()) (wait func()) {
	var happening sync.WaitGroup
	started := cfg.Started
	cfg.Started = func() {
		started()
		happening.Go(happen)
	}
	return happening.Wait
}

// prepare makes the servers and the load that a case needs.
func (t *bed) prepare(ctx context.Context, c benchCase) (err error) {
	if t.v.ID() != c.v.ID() || t.net != c.net {
		t.close()
		t.v, t.net = c.v, c.net
	}
	if t.dead() != nil || len(t.servers) > c.serverCount() || t.work != c.workload {
		t.close()
	}
	for len(t.servers) < c.serverCount() {
		t.closeLoad()
		s, err := startServer(ctx, t.v, c.workload, t.net)
		if err != nil {
			return err
		}
		t.work = c.workload
		t.servers = append(t.servers, s)
	}
	if t.load != nil && t.keys == c.keys() {
		return nil
	}
	t.closeLoad()
	t.keys = c.keys()
	if c.peaks {
		t.idle = host.OwnIdle()
	}
	if t.dialed, err = t.addrs(); err != nil {
		return err
	}
	t.load, err = newLoad(ctx, c, t.dialed)
	return err
}

// newLoad makes the load of a case. With an error it is nil, and not an
// interface of a nil pointer.
func newLoad(ctx context.Context, c benchCase, addrs []string) (load, error) {
	if env.clients > 1 {
		return orNil(hireCrew(ctx, c, addrs, env.clients))
	}
	return orNil(newLocal(c, addrs, c.workers, env.conns))
}

func orNil[L load](l L, err error) (load, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (c benchCase) serverCount() int { return max(c.servers, 1) }

// addrs are where the servers are reached.
func (t *bed) addrs() (list []string, err error) {
	for _, s := range t.servers {
		list = append(list, s.Addr())
	}
	for i := 0; i < len(list) && t.net.proxy > 0; i++ {
		p, err := env.proxy(list[i], t.net.proxy)
		if err != nil {
			return nil, fmt.Errorf("proxy: %w", err)
		}
		t.proxies = append(t.proxies, p)
		list[i] = p.Addr()
	}
	if env.fault == faultGarbage {
		t.garbler, err = newGarbler(list[0])
		if err != nil {
			return nil, err
		}
		list[0] = t.garbler.addr()
	}
	return list, nil
}

// death tells whether a server has died, and what it said last. Calls fail a
// moment before the end of the process is known.
func (t *bed) death() error {
	if len(t.servers) == 1 {
		select {
		case <-t.servers[0].Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return t.dead()
}

// dead is death without the wait.
func (t *bed) dead() error {
	for _, s := range t.servers {
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}

// giveUp closes what is left, of no use to the next case, and returns why:
// the server's death before its consequences.
func (t *bed) giveUp(err error) error {
	if !errors.Is(err, errStuck) { // then it was killed
		err = cmp.Or(t.death(), err)
	}
	t.close()
	return fmt.Errorf("%s: %w", t.v.place(), err)
}

func startServer(ctx context.Context, v target, workload string, n network) (server, error) {
	if v.given != "" {
		return given{v.given}, nil
	}
	if env.machine != nil {
		return startRemote(ctx, v.Variant, workload)
	}
	h, err := host.Start(ctx, host.Config{
		Serve: v.ID(), Arg: env.works.arg(workload), CPUs: env.pinning.Server, Procs: env.serverProcs(), Link: env.links[n.name],
	})
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	env.correctVersions(h.Ready().Versions)
	if env.pprof {
		fmt.Printf("# server of %s: http://%s/debug/pprof/\n", v.ID(), h.Ready().Control)
	}
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

// watch returns a watchdog for a round: it ends the run when a server has
// died, and when no call has ended for a while. Killing the servers frees the
// calls: their context cannot, since a context that can be cancelled costs
// some frameworks a slower path.
func (t *bed) watch(patience time.Duration) func(loadgen.Progress) error {
	stuck := watchdog(patience)
	return func(p loadgen.Progress) error {
		if err := t.dead(); err != nil {
			return err
		}
		err := stuck(p)
		if err != nil {
			for _, s := range t.servers {
				s.Kill()
			}
		}
		return err
	}
}

// watchdog returns an error when no call has ended for as long as -watchdog and
// patience say.
func watchdog(patience time.Duration) func(loadgen.Progress) error {
	ended, since := int64(-1), time.Duration(0)
	patience += env.watchdog
	return func(p loadgen.Progress) error {
		if p.Ended != ended {
			ended, since = p.Ended, p.Elapsed
		}
		if p.Elapsed-since < patience {
			return nil
		}
		return fmt.Errorf("%w for %v", errStuck, patience)
	}
}

var errStuck = errors.New("no call ended")

func (t *bed) closeLoad() {
	if t.load != nil {
		t.load.close()
	}
	if t.garbler != nil {
		t.garbler.close()
	}
	for _, p := range t.proxies {
		p.Close()
	}
	t.load, t.garbler, t.proxies, t.keys = nil, nil, nil, ""
}

func (t *bed) close() {
	t.closeLoad()
	for _, s := range t.servers {
		s.Stop()
	}
	t.servers = nil
}

// conns is the number of connections that are really open, or where that
// cannot be read the number that the case may open.
func (t *bed) conns(c benchCase) (sum int) {
	for _, addr := range t.dialed {
		n, err := connections(addr, t.load.pids()...)
		if err != nil {
			return c.opens() * len(t.servers)
		}
		sum += n
	}
	return sum
}

// offeredRate is that of an open loop, where the keys do not say it.
func (l leaf) offeredRate() []loadbench.Metric {
	if l.offered == 0 {
		return nil
	}
	return []loadbench.Metric{{Value: l.offered, Unit: "offered/s"}}
}
