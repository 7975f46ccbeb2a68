package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

func TestCasesOfIdle(t *testing.T) {
	for _, c := range []struct {
		about   string
		variant framework.Variant
		want    []string
		addrs   []int
	}{
		{"an address for each 10,000 connections", framework.Variant{}, []string{"idle=1", "idle=10000", "idle=10001", "idle=50000"}, []int{1, 1, 2, 5}},
		{"optional keys come last", framework.Variant{Keys: framework.Keys{Profile: "tuned"}}, []string{"idle=1/profile=tuned", "idle=10000/profile=tuned", "idle=10001/profile=tuned", "idle=50000/profile=tuned"}, []int{1, 1, 2, 5}},
		{"short connections are never idle", framework.Variant{Connections: framework.Connections{Sharing: framework.Short}}, nil, nil},
		{"a variant that only advises another number is the same with any", framework.Variant{Connections: framework.Connections{Sharing: framework.Mux, Conns: 2}}, nil, nil},
		{"windows are for streams", framework.Variant{Keys: framework.Keys{Window: "16MiB"}}, nil, nil},
	} {
		c.variant.Framework = "a"
		p := planned(t, []framework.Variant{c.variant}, "-bench=Idle", "-idle=1,10000,10001,50000")
		assert.Equal(t, c.want, keys(p), c.about)
		var addrs []int
		for _, one := range p.Selected() {
			addrs = append(addrs, one.Addrs)
			assert.Equal(t, 10, one.Opens(), "it opens those of the callers; the others are counted apart")
		}
		assert.Equal(t, c.addrs, addrs, c.about)
	}
}

func TestActiveCallersOfIdle(t *testing.T) {
	p := planned(t, []framework.Variant{{Keys: framework.Keys{Framework: "a", Profile: "tuned"}}}, "-bench=Idle", "-idle=1,2", "-active=10,100,1000")
	assert.Equal(t, []string{
		"idle=1/profile=tuned/active=10", "idle=1/profile=tuned", "idle=1/profile=tuned/active=1000",
		"idle=2/profile=tuned/active=10", "idle=2/profile=tuned", "idle=2/profile=tuned/active=1000",
	}, keys(p), "without a key there are 100")
	var workers []int
	for _, one := range p.Selected() {
		workers = append(workers, one.Workers)
	}
	assert.Equal(t, []int{10, 100, 1000, 10, 100, 1000}, workers)
}

func TestCallsOfIdle(t *testing.T) {
	for _, c := range []struct {
		about    string
		settings *rig.Settings
		calls    int
		silence  time.Duration
	}{
		{"a line alone has the calls of a p99", &rig.Settings{Rounds: 1}, 10_000, 2 * time.Second},
		{"of several rounds they are divided", &rig.Settings{Rounds: 4}, 2500, 2 * time.Second},
		{"three rounds have no fewer", &rig.Settings{Rounds: 3}, 3334, 2 * time.Second},
		{"each line has some", &rig.Settings{Rounds: 100}, 1000, 2 * time.Second},
		{"rounds that are not known", &rig.Settings{}, 10_000, 2 * time.Second},
		{"once is short", &rig.Settings{Rounds: 1, Load: load.Settings{Calls: 1}}, 50, 20 * time.Millisecond},
	} {
		assert.Equal(t, c.calls, idleCalls(c.settings), c.about)
		assert.Equal(t, c.silence, silenceTime(c.settings), c.about)
	}
}

// silent is what was measured of 10 connections.
func silent(server error) *silence {
	s := &silence{conns: 10, opened: load.OpenReply{Asked: 10, Took: 5 * time.Second}}
	s.before = [2]held{
		{Holdings: host.Holdings{RSS: 1000, Heap: 2000, Goroutines: 3, Files: 4}, cpu: 50},
		{Holdings: host.Holdings{RSS: 6000, Heap: 7000, Goroutines: 8, Files: 9}, cpu: 10, err: server},
	}
	s.after = [2]held{
		{Holdings: host.Holdings{RSS: 1110, Heap: 2220, Goroutines: 33, Files: 44}, cpu: 40},
		{Holdings: host.Holdings{RSS: 6550, Heap: 7660, Goroutines: 78, Files: 89}, cpu: 90, err: server},
	}
	return s
}

func TestMetricsOfSilence(t *testing.T) {
	client := ledger.Metrics{
		"conns": 10, "accepts/s": 2, "client-rss-B/conn": 11, "client-heap-B/conn": 22, "client-goroutines/conn": 3, "client-fds/conn": 4,
		"client-idle-cpu-ns/conn-s": 0, // it is never less
	}
	there := ledger.Metrics{"server-rss-B/conn": 55, "server-heap-B/conn": 66, "server-goroutines/conn": 7, "server-fds/conn": 8, "server-idle-cpu-ns/conn-s": 8}
	got := ledger.Metrics{}
	for _, m := range silent(nil).metrics() {
		got[m.Unit] = m.Value
	}
	want := ledger.Metrics{}
	for _, part := range []ledger.Metrics{client, there} {
		for unit, value := range part {
			want[unit] = value
		}
	}
	assert.Equal(t, want, got)
	assert.Empty(t, silent(nil).unknown())

	got = ledger.Metrics{}
	none := silent(server.ErrGiven)
	for _, m := range none.metrics() {
		got[m.Unit] = m.Value
	}
	assert.Equal(t, client, got, "a server that does not tell")
	assert.Contains(t, none.unknown(), "of what the server holds: the server was not started by this process")

	less := silent(nil)
	less.before, less.after = less.after, less.before
	for _, m := range less.metrics() {
		assert.GreaterOrEqual(t, m.Value, 0., m.Unit)
	}

	other := silent(nil)
	for i := range other.after {
		other.after[i].RSS, other.after[i].Files = 0, 0
	}
	for _, m := range other.metrics() {
		assert.NotRegexp(t, `rss|fds`, m.Unit, "a system that does not tell")
	}
	assert.Equal(t, "of resident memory and descriptors: this system does not tell them", other.unknown())
}
