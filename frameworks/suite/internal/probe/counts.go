package probe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/syscalls"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Counts are what a call costs besides time. They come from a pass of their own, by one
// caller, so that no two calls share a system call or a segment, and nothing that is
// timed has the cost of counting. The pass is made of parts with the same number of
// calls, and the median of the parts is reported: what happens once, such as a
// collection or a buffer that grows, is in few of them.
const (
	firstCalls  = 150 // that no part has: after 127, numbers of calls have a second byte in some protocols
	countParts  = 5   // of calls that nothing watches
	tracedParts = 3   // of calls whose system calls are counted, many times slower
	partCalls   = 50  // in each part, less of large messages
	partBytes   = 8 << 20
)

// Counts are the metrics of a pass, and why some are not there.
type Counts struct {
	Metrics []loadbench.Metric
	Lacks   []string
}

// Pass says over what calls of one caller are counted.
type Pass struct {
	Servers []*server.Server
	Addrs   []string // at which the load reaches them
	Spanned bool     // the variant makes spans
	// Datagrams says that connections are of UDP, whose bytes are counted with system calls.
	Datagrams bool
	CPUs      cpus.Set // for the process that counts system calls
	End       func()   // ends calls that are stuck
}

// counting is a pass of calls by one caller.
type counting struct {
	Pass
	load      *load.Local
	ports     sockets.Ports
	paths     []string // of Unix sockets
	unplaced  error    // why the connections are not known by their addresses
	processes []watched
	calls     int  // in each part
	brief     bool // system calls are not traced, which takes most of the time
	Counts
}

// watched is a process whose figures are read from outside.
type watched struct {
	pid    int
	prefix string // of its units
}

// CallsOf is the number of calls in each part of a pass. Messages of a user's own have several
// sizes, and come in turn: a part has each of a cycle equally often, unless that takes long.
func CallsOf(size, cycle int) int {
	n := min(partCalls, max(partBytes/max(size, 1), 1))
	if cycle == 0 || cycle*size > partBytes {
		return n
	}
	return (n + cycle - 1) / cycle * cycle
}

// Count makes a pass of parts with this many calls, with a load of one caller. The error
// says that calls failed.
func Count(ctx context.Context, over Pass, l *load.Local, calls int, brief bool) (Counts, error) {
	ports, paths, err := sockets.Split(slices.Concat(over.Addrs, over.ownAddrs())...)
	p := &counting{Pass: over, load: l, ports: ports, paths: paths, unplaced: err, processes: over.processes(), calls: calls, brief: brief}
	if len(p.processes) < 2 {
		alone := errors.New("the server is not one process of this machine that this one has started")
		p.Lack("server-syscalls/op, server-switches/op", alone)
		p.lackDatagrams(alone)
	}
	if err = p.make(firstCalls*min(calls, partCalls)/partCalls, new(Heap)); err == nil { // what the first calls allocate is in no part
		err = errors.Join(p.repeat(countParts, p.part), p.traced(ctx), p.spans(ctx))
	}
	return p.Counts, err
}

func (t Pass) ownAddrs() (list []string) {
	for _, s := range t.Servers {
		list = append(list, s.Addr())
	}
	return list
}

// Lack notes why metrics are not there.
func (c *Counts) Lack(what string, err error) {
	if text := fmt.Sprintf("%s: %v", what, err); !slices.Contains(c.Lacks, text) {
		c.Lacks = append(c.Lacks, text)
	}
}

// repeat reports the medians of parts.
func (p *counting) repeat(n int, part func() ([]loadbench.Metric, error)) error {
	values, units := map[string][]float64{}, []string(nil)
	for range n {
		list, err := part()
		if err != nil {
			return err
		}
		for _, m := range list {
			if values[m.Unit] == nil {
				units = append(units, m.Unit)
			}
			values[m.Unit] = append(values[m.Unit], m.Value)
		}
	}
	for _, unit := range units {
		if len(values[unit]) == n { // a part without it says why
			slices.Sort(values[unit])
			p.Metrics = append(p.Metrics, loadbench.Metric{Value: values[unit][n/2], Unit: unit})
		}
	}
	return nil
}

// part makes calls and reads what they cost. Reading allocates on the client, so the
// client's memory is read last before the calls and first after them.
func (p *counting) part() ([]loadbench.Metric, error) {
	server, own := NewUsage(p.Servers), new(Heap)
	server.start()
	switched, switchErr := p.switches()
	before, trafficErr := sockets.OwnTraffic(p.ports)
	if err := p.make(p.calls, own); err != nil {
		return nil, err
	}
	after, _ := sockets.OwnTraffic(p.ports) // as before
	switchedThen, _ := p.switches()
	server.stop()
	list := slices.Concat(own.perCall(int64(p.calls), "client-"), server.metrics(int64(p.calls), "server-"))
	if err := server.unknown(); err != nil {
		p.Lack("server-allocs/op", err)
	}
	return slices.Concat(list, p.traffic(before, after, trafficErr), p.switching(switched, switchedThen, switchErr)), nil
}

// traffic is what a call sends and receives.
func (p *counting) traffic(before, after sockets.Traffic, err error) []loadbench.Metric {
	switch {
	case p.Datagrams:
		return nil // see wire
	case p.unplaced != nil:
		err = p.unplaced
	case len(p.paths) > 0:
		err = errors.New("the kernel counts no bytes of a Unix socket")
	case err == nil:
		after, err = after.Since(before)
	}
	if err != nil {
		p.Lack("request-wire-B/op, reply-wire-B/op, segs/op", err)
		return nil
	}
	return []loadbench.Metric{
		p.perCall(after.Sent, "request-wire-B/op"), p.perCall(after.Received, "reply-wire-B/op"),
		p.perCall(after.Segments, "segs/op"),
	}
}

func (p *counting) perCall(n int64, unit string) loadbench.Metric { return per(p.calls, n, unit) }

func per(calls int, n int64, unit string) loadbench.Metric {
	return loadbench.Metric{Value: float64(n) / float64(calls), Unit: unit}
}

// processes are the client and, if it is one process that this one has started, the server.
func (t Pass) processes() []watched {
	list := []watched{{os.Getpid(), "client-"}}
	if h, ok := t.Servers[0].Place.(*host.Host); ok && len(t.Servers) == 1 {
		list = append(list, watched{h.Ready().PID, "server-"})
	}
	return list
}

// switches reads the context switches of each side.
func (p *counting) switches() (list []int64, err error) {
	for _, s := range p.processes {
		n, err := process.Switches(s.pid)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func (p *counting) switching(before, after []int64, err error) (list []loadbench.Metric) {
	switch {
	case err != nil:
		p.Lack("client-switches/op, server-switches/op", err)
		return nil
	case len(before) != len(after):
		return nil
	}
	for i := range after {
		list = append(list, p.perCall(after[i]-before[i], p.processes[i].prefix+"switches/op"))
	}
	return list
}

// traced counts the system calls of calls.
func (p *counting) traced(ctx context.Context) (err error) {
	if p.brief {
		p.lackDatagrams(errors.New("datagrams are counted with system calls, for which there was no time"))
		return nil
	}
	if p.unplaced != nil {
		p.Lack("client-syscalls/op, server-syscalls/op", p.unplaced)
		return nil
	}
	var pids []int
	for _, s := range p.processes {
		pids = append(pids, s.pid)
	}
	tracing, err := startTracing(ctx, p.CPUs, traceRequest{PIDs: pids, Ports: p.ports, Paths: p.paths, Datagrams: p.Datagrams})
	if err != nil {
		p.Lack("client-syscalls/op, server-syscalls/op", err)
		p.lackDatagrams(err)
		return nil
	}
	defer func() { err = errors.Join(err, tracing.stop()) }()
	return p.repeat(tracedParts, func() ([]loadbench.Metric, error) { return p.tracedPart(tracing) })
}

// tracedPart is no longer than the parts of messages of one size: system calls hardly depend on it.
func (p *counting) tracedPart(tracing *tracing) (list []loadbench.Metric, err error) {
	calls := min(p.calls, partCalls)
	before, err := tracing.counts()
	if err != nil {
		return nil, err
	}
	if err := p.make(calls, new(Heap)); err != nil {
		return nil, err
	}
	after, err := tracing.counts()
	if err != nil {
		return nil, err
	}
	for _, s := range p.processes {
		made := after[s.pid].Since(before[s.pid])
		list = append(list, per(calls, made.Data, s.prefix+"syscalls/op"), per(calls, made.Other, s.prefix+"other-syscalls/op"))
	}
	return append(list, p.wire(calls, before, after)...), nil
}

// wire is what a call sends and receives in datagrams, which each side has counted as it sent
// them: with acknowledgements, and what was sent again.
func (p *counting) wire(calls int, before, after map[int]syscalls.Counts) (list []loadbench.Metric) {
	if !p.Datagrams || len(p.processes) < 2 {
		return nil
	}
	var datagrams int64
	for i, unit := range []string{"request-wire-B/op", "reply-wire-B/op"} {
		made := after[p.processes[i].pid].Since(before[p.processes[i].pid])
		datagrams += made.Datagrams
		list = append(list, per(calls, made.Sent, unit))
	}
	return append(list, per(calls, datagrams, "segs/op"))
}

func (p *counting) lackDatagrams(err error) {
	if p.Datagrams {
		p.Lack("request-wire-B/op, reply-wire-B/op, segs/op", err)
	}
}

// make makes n calls, checks each, and notes what they allocate here. A call
// that does not end is ended as the watchdog would.
func (p *counting) make(n int, own *Heap) error {
	patience := p.load.Patience
	stuck := time.AfterFunc(patience, func() {
		p.End()
		load.CloseSoon(p.load)
	})
	defer stuck.Stop()
	return callSeveral(p.load, n, own, func() { stuck.Reset(patience) })
}

// callSeveral makes calls of one worker one after the other, and says when each is done. They
// get the context that they have when they are measured: one that can be cancelled only
// where they have a deadline.
func callSeveral(t *load.Local, n int, own *Heap, done func()) (err error) {
	runtime.ReadMemStats(&own.before)
	for i := 0; i < n && err == nil; i++ {
		err = t.Timed()
		done()
	}
	runtime.ReadMemStats(&own.after)
	return err
}
