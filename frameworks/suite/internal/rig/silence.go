package rig

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/sockets"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// silence is idle connections beside the load of a round, and what both sides hold with
// and without them. A process of its own has the connections, since what another one held
// before would differ from line to line.
type silence struct {
	*round
	want   int
	client *host.Host
	opened openReply
	conns  int // that are idle
	doubts []string

	before, after [2]held // of client and server
}

// held is what a side holds, and the CPU time that it uses in a second of silence.
type held struct {
	host.Holdings
	cpu float64 // ns
	err error   // why that is not known
}

// spareFiles is room for what either side opens beside connections.
const spareFiles = 100

// raise raises the limit of open files for the processes of both sides, which start later.
func (s *silence) raise() {
	others := spareFiles + s.Opens()
	limit := files.RaiseLimit(s.want + others)
	if had := limit - others; limit > 0 && had < s.want {
		s.want = max(had, 1)
		s.short(fmt.Sprintf("a process may open %d files: raise the limit (ulimit -n)", limit))
	}
}

// short notes why there are fewer connections than the case says.
func (s *silence) short(why string) {
	s.doubts = append(s.doubts, "it has fewer idle connections than its name says, see conns: "+why)
}

// start starts the process that is to have the connections.
func (s *silence) start() (err error) {
	s.client, err = host.Start(s.b.Context(), host.Config{Serve: agentID, CPUs: s.rig.pinning.Client, Procs: clientProcs()})
	return err
}

// settling is how long both sides are left alone before something is read.
const settling = 300 * time.Millisecond

// read reads what both sides hold.
func (s *silence) read() (sides [2]held) {
	time.Sleep(settling)
	for i, side := range s.holders() {
		if sides[i].err = errGiven; side != nil {
			sides[i].Holdings, sides[i].err = side.Holdings(s.b.Context())
		}
	}
	time.Sleep(settling)
	s.readCPU(&sides)
	return sides
}

// holders are both sides; nil for a server that does not tell what it holds.
func (s *silence) holders() [2]holder { return [2]holder{s.client, s.servers[0].holder} }

// readCPU reads what both sides use in silence.
func (s *silence) readCPU(sides *[2]held) {
	u, begin := &usage{meters: []meter{s.client, s.servers[0].meter}}, time.Now()
	var then [2]time.Duration
	for i, m := range u.meters {
		then[i] = u.readCPU(m)
	}
	time.Sleep(s.rig.silence())
	took := time.Since(begin).Seconds()
	for i, m := range u.meters {
		sides[i].cpu = float64(u.readCPU(m)-then[i]) / took
	}
}

// open opens the connections.
func (s *silence) open() error {
	q := openRequest{
		prepareRequest: prepareRequest{Flags: s.rig.flags, Case: s.Case.Name(), Addrs: s.servers[0].addrs(), Certs: s.rig.certs.OfClient()},
		Conns:          s.want,
	}
	if s.servers[0].holder != nil {
		q.Server = s.servers[0].holder.Ready().PID
	}
	if err := (child{Host: s.client}).ask("/open", q, &s.opened); err != nil {
		return err
	}
	switch s.conns = s.count(); {
	case s.conns == 0:
		return fmt.Errorf("no idle connection: %w", errors.New(cmp.Or(s.opened.Short, "the framework closed them")))
	case s.opened.Short != "":
		s.short(s.opened.Short)
	case s.conns < s.want:
		s.short("the framework opened or kept no more")
	case s.conns > s.want && !s.StaysOpen:
		s.doubts = append(s.doubts, fmt.Sprintf("it has more idle connections than its name says, see conns: %d", s.conns))
	}
	return nil
}

// count returns how many connections are open. Where the system does not tell, these are as
// many as were asked for.
func (s *silence) count() (sum int) {
	for _, addr := range s.servers[0].addrs() {
		n, err := sockets.Connections(addr, s.client.Ready().PID)
		if err != nil {
			return s.opened.Asked
		}
		sum += n
	}
	return sum
}

// recount notes connections that did not stay open.
func (s *silence) recount() {
	if lost := s.conns - s.count(); lost > 0 {
		s.doubts = append(s.doubts, fmt.Sprintf("%d of %d idle connections were closed before the last call", lost, s.conns))
	}
}

// unknown says which figures the line lacks, and why; "" if it has all.
func (s *silence) unknown() string {
	client, server := s.after[0], s.after[1]
	switch {
	case server.err != nil:
		return fmt.Sprintf("of what the server holds: %v", server.err)
	case client.err != nil:
		return fmt.Sprintf("of what the client holds: %v", client.err)
	case client.RSS == 0:
		return "of resident memory and descriptors: this system does not tell them"
	}
	return ""
}

// metrics returns what a connection holds and uses on each side.
func (s *silence) metrics() []loadbench.Metric {
	list := []loadbench.Metric{
		{Value: float64(s.conns), Unit: "conns"},
		{Value: float64(s.conns) / s.opened.Took.Seconds(), Unit: "accepts/s"},
	}
	for i, side := range []string{"client", "server"} {
		if cmp.Or(s.before[i].err, s.after[i].err) == nil {
			list = append(list, s.side(side, s.before[i], s.after[i])...)
		}
	}
	return list
}

// side returns the metrics of a side. What the system does not tell is 0.
func (s *silence) side(name string, before, after held) []loadbench.Metric {
	list := memoryPer("conn", s.conns, name, before.Holdings, after.Holdings)
	per := func(known bool, total float64, unit string) {
		if known {
			list = append(list, loadbench.Metric{Value: total / float64(s.conns), Unit: name + unit})
		}
	}
	per(true, float64(after.Goroutines-before.Goroutines), "-goroutines/conn")
	per(after.Files > 0, float64(after.Files-before.Files), "-fds/conn")
	per(true, max(after.cpu-before.cpu, 0), "-idle-cpu-ns/conn-s")
	return list
}

// memoryPer returns what a side holds for each of n connections or streams.
func memoryPer(what string, n int, side string, before, after host.Holdings) (list []loadbench.Metric) {
	per := func(bytes int64, kind string) loadbench.Metric {
		return loadbench.Metric{Value: float64(bytes) / float64(n), Unit: side + kind + "-B/" + what}
	}
	if after.RSS > 0 {
		list = append(list, per(after.RSS-before.RSS, "-rss"))
	}
	return append(list, per(after.Heap-before.Heap, "-heap"))
}
