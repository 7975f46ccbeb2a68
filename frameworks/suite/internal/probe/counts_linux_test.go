package probe

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/syscalls"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// talker makes calls on a connection to this process, of 30 bytes with replies of 70. A call
// keeps 64 KiB.
type talker struct {
	net.Conn
	kept [][]byte
}

func newTalker(t *testing.T) *talker { return talkerAt(t, "tcp", "127.0.0.1:0") }

func talkerAt(t *testing.T, network, addr string) *talker {
	l, err := net.Listen(network, addr)
	require.NoError(t, err)
	client, err := net.Dial(network, l.Addr().String())
	require.NoError(t, err)
	server, err := l.Accept()
	require.NoError(t, err)
	go func() {
		request, reply := make([]byte, 30), make([]byte, 70)
		for {
			if _, err := io.ReadFull(server, request); err != nil {
				return
			}
			server.Write(reply)
		}
	}()
	t.Cleanup(func() { errors.Join(l.Close(), client.Close(), server.Close()) })
	return &talker{Conn: client}
}

func (c *talker) call(context.Context, int) error {
	c.kept = append(c.kept, make([]byte, 64<<10))
	_, err := c.Write(make([]byte, 30))
	if err == nil {
		_, err = io.ReadFull(c, make([]byte, 70))
	}
	return err
}

// grown is a server that has allocated more each time it is read.
type grown struct{ reads int64 }

func (g *grown) CPU() (time.Duration, error)     { return 0, nil }
func (g *grown) ResetPeak(context.Context) error { return nil }
func (g *grown) Figures(context.Context) (host.Figures, error) {
	g.reads++
	return host.Figures{Allocs: 100 * g.reads, AllocBytes: 1000 * g.reads}, nil
}

// What a part reports is of the side and the way that its unit names.
func TestAPartOfAPass(t *testing.T) {
	const calls = 20
	c := newTalker(t)
	ports, err := sockets.PortsOf(c.RemoteAddr().String())
	require.NoError(t, err)
	p := &counting{
		Pass:  Pass{Servers: []*server.Server{{Meter: new(grown)}}},
		load:  load.OfJob(call.Job{Call: c.call}, time.Minute),
		ports: ports, processes: []watched{{os.Getpid(), "client-"}}, calls: calls,
	}
	require.NoError(t, p.make(1, new(Heap)))
	list, err := p.part()
	require.NoError(t, err)
	got := map[string]float64{}
	for _, m := range list {
		got[m.Unit] = m.Value
	}
	assert.Equal(t, 30.0, got["request-wire-B/op"])
	assert.Equal(t, 70.0, got["reply-wire-B/op"])
	assert.Equal(t, 2.0, got["segs/op"])
	assert.Equal(t, 1000.0/calls, got["server-B/op"])
	assert.Equal(t, 100.0/calls, got["server-allocs/op"])
	assert.InDelta(t, 64<<10, got["client-B/op"], 16<<10)
	assert.InDelta(t, 3, got["client-allocs/op"], 3)
	assert.Contains(t, got, "client-switches/op")
	assert.Empty(t, p.Lacks)
}

// One gap drops no other count: of a Unix socket the kernel does not count the bytes, and an
// address that nobody can read names no connection.
func TestAGapLeavesTheOtherCounts(t *testing.T) {
	for says, tt := range map[string]struct{ network, addr, given, lack string }{
		"a Unix socket":           {"unix", filepath.Join(t.TempDir(), "a b"), "", "request-wire-B/op, reply-wire-B/op, segs/op: the kernel counts no bytes of a Unix socket"},
		"an address without port": {"tcp", "127.0.0.1:0", "localhost", "request-wire-B/op, reply-wire-B/op, segs/op: address localhost: missing port in address"},
	} {
		t.Run(says, func(t *testing.T) {
			c := talkerAt(t, tt.network, tt.addr)
			over := Pass{
				Addrs:   []string{cmp.Or(tt.given, c.RemoteAddr().String())},
				Servers: []*server.Server{{Place: server.Given{At: c.RemoteAddr().String()}, Meter: new(grown)}},
			}
			got, err := Count(t.Context(), over, load.OfJob(call.Job{Call: c.call}, time.Minute), 20, true)
			require.NoError(t, err)
			var units []string
			for _, m := range got.Metrics {
				units = append(units, m.Unit)
			}
			assert.Subset(t, units, []string{"client-allocs/op", "server-allocs/op", "client-switches/op"})
			assert.NotContains(t, units, "segs/op")
			assert.Contains(t, got.Lacks, tt.lack)
		})
	}
}

// A unit of each side has the figures of that side's process.
func TestSwitchesOfSides(t *testing.T) {
	one := Pass{Servers: []*server.Server{server.New(new(host.Host))}}
	p := &counting{processes: one.processes(), calls: 10}
	assert.Equal(t, []watched{{os.Getpid(), "client-"}, {0, "server-"}}, p.processes, "a host that has not started has no process")
	assert.Equal(t, []loadbench.Metric{{Value: 2, Unit: "client-switches/op"}, {Value: 7, Unit: "server-switches/op"}},
		p.switching([]int64{100, 1000}, []int64{120, 1070}, nil))
	two := Pass{Servers: []*server.Server{server.New(new(host.Host)), server.New(new(host.Host))}}
	assert.Len(t, two.processes(), 1, "several servers are no side")
	_, err := p.switches()
	assert.EqualError(t, err, "context switches: there is no process 0")
}

// The median of the parts is reported, and a unit that a part lacks is not.
func TestMediansOfParts(t *testing.T) {
	parts := []map[string]float64{
		{"a/op": 5, "b/op": 10},
		{"a/op": 1, "b/op": 10},
		{"a/op": 100, "b/op": 10, "c/op": 1},
		{"a/op": 2, "b/op": 10},
		{"a/op": 3, "b/op": 50},
	}
	p, made := new(counting), 0
	require.NoError(t, p.repeat(len(parts), func() (list []loadbench.Metric, err error) {
		for unit, value := range parts[made] {
			list = append(list, loadbench.Metric{Value: value, Unit: unit})
		}
		made++
		return list, nil
	}))
	assert.ElementsMatch(t, []loadbench.Metric{{Value: 3, Unit: "a/op"}, {Value: 10, Unit: "b/op"}}, p.Metrics)
	failed := errors.New("a call failed")
	assert.ErrorIs(t, p.repeat(3, func() ([]loadbench.Metric, error) { return nil, failed }), failed)
}

// Large messages make parts of fewer calls, of 8 MiB at most.
func TestCallsInAPart(t *testing.T) {
	for size, want := range map[int]int{0: 50, 1 << 10: 50, 8 << 20 / 50: 50, 8<<20/50 + 1: 49, 1 << 20: 8, 8 << 20: 1, 64 << 20: 1} {
		assert.Equal(t, want, CallsOf(size, 0), "%d bytes", size)
	}
	for cycle, want := range map[int]int{1: 50, 7: 56, 50: 50, 256: 256, 8<<10 + 1: 50} {
		assert.Equal(t, want, CallsOf(1<<10, cycle), "%d messages in turn", cycle)
	}
}

// Processes are at rest when none has moved bytes between two readings.
func TestAtRest(t *testing.T) {
	none := map[int]syscalls.Counts(nil)
	was := map[int]syscalls.Counts{1: {Data: 5, Other: 1}, 2: {Data: 7}}
	for _, c := range []struct {
		about string
		last  map[int]syscalls.Counts
		now   map[int]syscalls.Counts
		want  bool
	}{
		{"the first reading", none, was, false},
		{"nothing has happened", was, was, true},
		{"other calls do not count", was, map[int]syscalls.Counts{1: {Data: 5, Other: 9}, 2: {Data: 7}}, true},
		{"the second has moved bytes", was, map[int]syscalls.Counts{1: {Data: 5}, 2: {Data: 8}}, false},
	} {
		assert.Equal(t, c.want, atRest(c.last, c.now), c.about)
	}
}
