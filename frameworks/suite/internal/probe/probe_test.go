package probe

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// ranFor is a second of a closed loop that took this much of the client's CPU time.
func ranFor(client time.Duration) load.Measured {
	r := &loadgen.Result{Closed: true, Elapsed: time.Second, Sent: 1000, OK: 1000}
	return load.Measured{Measured: loadbench.Measured{Result: r, CPU: client}}
}

func TestWhatLimitedAClosedLoop(t *testing.T) {
	for _, c := range []struct {
		about          string
		client, server time.Duration // of a second of one proc each
		few            bool          // callers
		limit          string
		starved        bool // the servers
	}{
		{"the server was busy: calls/s is its limit", 800, 900, false, "the server", false},
		{"both were", 990, 950, false, "both sides", false},
		{"the client was busy instead", 950, 899, false, "the client", true},
		{"neither was", 899, 740, false, "neither side", false},
		{"the client was, as it is told, and the server not kept from an overload", 920, 740, false, "the client", false},
		{"a single caller waits for each reply, so nothing is busy", 500, 500, true, "", false},
		{"the client's limit does not depend on the callers", 960, 500, true, "the client", true},
		{"the client's CPU time is not known", 0, 500, false, "", false},
	} {
		p := &Probe{Usage: &Usage{cpu: c.server * time.Millisecond}, Sides: Sides{ServerProcs: 1, ClientProcs: 1, Apart: true}, Callers: 100}
		if c.few {
			p.Callers = 0
		}
		p.busyErr = errors.New("not read")
		m := ranFor(c.client * time.Millisecond)
		assert.Empty(t, p.Doubts(m, nil), "it makes no figure wrong: %s", c.about)
		assert.Equal(t, c.limit, p.Limit(m), c.about)
		assert.Equal(t, c.starved, p.Starved(m) != "", c.about)
		p.Sides.Apart = false
		assert.Empty(t, p.Limit(m)+p.Starved(m), "sides that share CPUs have no limit of their own: %s", c.about)
		p.Sides.Apart, m.Closed = true, false
		assert.Empty(t, p.Limit(m), "an open loop leaves CPUs idle on purpose: %s", c.about)
		m.Closed, m.Elapsed = true, EnoughTime-1
		assert.Empty(t, p.Limit(m)+p.Starved(m), "the run is too short to tell: %s", c.about)
		m.Elapsed, p.Err = time.Second, server.ErrGiven
		assert.Empty(t, p.Limit(m)+p.Starved(m), "the server cannot be read: %s", c.about)
	}
}

func TestStarvedSaysHowMuch(t *testing.T) {
	p := &Probe{Usage: &Usage{cpu: 500 * time.Millisecond}, Sides: Sides{ServerProcs: 1, ClientProcs: 1, Apart: true}}
	assert.Equal(t, "the client used 97 % of its CPUs, and the server only 50 %", p.Starved(ranFor(970*time.Millisecond)))
}

func TestAProxyThatIsTheLimit(t *testing.T) {
	p := &Probe{Usage: &Usage{cpu: 950 * time.Millisecond}, Sides: Sides{ServerProcs: 1, ClientProcs: 1, Apart: true}}
	p.Proxies = Proxies{List: make([]*proxy.Proxy, 2), cpu: 1900 * time.Millisecond}
	assert.Equal(t, "the proxy", p.Limit(ranFor(900*time.Millisecond)), "two proxies used 95 % of a CPU each")
	p.Proxies.cpu = 1700 * time.Millisecond
	assert.Equal(t, "the server", p.Limit(ranFor(800*time.Millisecond)))
}

func TestCallersThatFillASide(t *testing.T) {
	onOne := Sides{ClientProcs: 1, ServerProcs: 1}
	for _, c := range []struct {
		about string
		sides Sides
		c     plan.Case
		want  int
	}{
		{"9 callers keep a proc each busy for 90 % of the time", onOne, plan.Case{Spec: plan.Spec{Workers: 9}}, 9},
		{"one fewer", onOne, plan.Case{Spec: plan.Spec{Workers: 8}}, 0},
		{"100 callers for 8 procs a side", Sides{ClientProcs: 8, ServerProcs: 8}, plan.Case{Spec: plan.Spec{Workers: 100}}, 100},
		{"no more than procs", Sides{ClientProcs: 8, ServerProcs: 8}, plan.Case{Spec: plan.Spec{Workers: 16}}, 0},
		{"of which most are on one side", Sides{ClientProcs: 20, ServerProcs: 1}, plan.Case{Spec: plan.Spec{Workers: 21}}, 0},
		{"a handler that works may wait", onOne, plan.Case{Spec: plan.Spec{Workers: 100, Workload: "sleep"}}, 0},
		{"calls over a link wait for it", onOne, plan.Case{Spec: plan.Spec{Workers: 100}, Network: plan.Network{Line: line.Shape{Delay: time.Millisecond}}}, 0},
		{"and those by way of a proxy for the proxy", onOne, plan.Case{Spec: plan.Spec{Workers: 100}, Network: plan.Network{Program: "haproxy"}}, 0},
	} {
		assert.Equal(t, c.want, c.sides.Callers(c.c), c.about)
	}
}

func TestUsageOfBothSides(t *testing.T) {
	p := &Probe{Usage: &Usage{cpu: 600 * time.Millisecond}, Sides: Sides{ServerProcs: 2, ClientProcs: 4}}
	p.Figures.Allocs, p.Figures.AllocBytes = 3_000, 90_000
	got := loadbench.Values{}
	loadbench.Report(got, p.Metrics(ranFor(800*time.Millisecond))...)
	assert.Equal(t, loadbench.Values{
		"server-allocs/op": 3, "server-B/op": 90, "server-cpu-ns/op": 600_000, "server-busy-%": 30, "client-busy-%": 20,
	}, got)
}

func TestWhatCouldNotBeReadIsSaid(t *testing.T) {
	dead := errors.New("connection refused")
	p := &Probe{Usage: &Usage{Err: dead}}
	assert.Equal(t, []string{"the server's figures could not be read: connection refused"}, p.Doubts(ranFor(0), nil))
	assert.Empty(t, p.Doubts(ranFor(0), dead), "the death of the server is told elsewhere")
}

func TestOtherProcessesOnTheCPUs(t *testing.T) {
	for _, c := range []struct {
		about  string
		busy   time.Duration // of a second of two CPUs, of which the sides took 1.2
		remote bool          // the servers, which took half of that
		short  bool
		say    []string
	}{
		{"the sides alone", 1200, false, false, nil},
		{"a little beside them", 1399, false, false, nil},
		{"a tenth of the CPUs", 1400, false, false, []string{"other processes took 10 % of the CPUs"}},
		{"half of them, by servers elsewhere not counted", 1600, true, false, []string{"other processes took 50 % of the CPUs"}},
		{"a run too short to tell", 1600, false, true, nil},
	} {
		p := &Probe{Usage: &Usage{cpu: 600 * time.Millisecond}, busy: c.busy * time.Millisecond}
		p.Sides = Sides{CPUs: cpus.Set{0, 1}, ServerProcs: 1, ClientProcs: 1, Remote: c.remote}
		m := ranFor(600 * time.Millisecond)
		if c.short {
			m.Elapsed = EnoughTime - 1
		}
		assert.Equal(t, c.say, p.Doubts(m, nil), c.about)
	}
}

// Of several clients the first warnings are told one by one, of one client all.
func TestWarningsOfManyClientsAreShort(t *testing.T) {
	m := ranFor(0)
	m.Warnings = []error{loadgen.ErrFewCalls, loadgen.ErrFluctuates} // of figures that a line does not have
	for _, text := range []string{"a", "b", "c", "d", "e"} {
		m.Warnings = append(m.Warnings, errors.New(text))
	}
	assert.Equal(t, []string{"a", "b", "c", "d", "e"}, warnings(m))
	m.Parts = make([]load.RunReply, 4)
	assert.Equal(t, []string{"a", "b", "c", "and 2 warnings more of the 4 clients"}, warnings(m))
}
