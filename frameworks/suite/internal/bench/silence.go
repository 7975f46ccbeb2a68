package bench

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// silence is idle connections beside the load of a round, and what both sides hold with
// and without them. A process of its own has the connections, since what another one held
// before would differ from line to line.
type silence struct {
	*rig.Round
	want   int
	client *host.Host
	opened load.OpenReply
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
	s.client, err = host.Start(s.Bench.Context(), host.Config{Serve: load.AgentID, CPUs: s.Rig.Placement.Pinning.Client, Procs: load.ClientProcs()})
	return err
}

// read reads what both sides hold.
func (s *silence) read() (sides [2]held) {
	time.Sleep(probe.Settling)
	for i, side := range s.holders() {
		if sides[i].err = server.ErrGiven; side != nil {
			sides[i].Holdings, sides[i].err = side.Holdings(s.Bench.Context())
		}
	}
	time.Sleep(probe.Settling)
	s.readCPU(&sides)
	return sides
}

// holders are both sides; nil for a server that does not tell what it holds.
func (s *silence) holders() [2]server.Holder { return [2]server.Holder{s.client, s.Running[0].Holder} }

// readCPU reads what both sides use in silence.
func (s *silence) readCPU(sides *[2]held) {
	u, begin := &probe.Usage{Meters: []server.Meter{s.client, s.Running[0].Meter}}, time.Now()
	var then [2]time.Duration
	for i, m := range u.Meters {
		then[i] = u.ReadCPU(m)
	}
	time.Sleep(silenceTime(s.Rig.Settings))
	took := time.Since(begin).Seconds()
	for i, m := range u.Meters {
		sides[i].cpu = float64(u.ReadCPU(m)-then[i]) / took
	}
}

// open opens the connections.
func (s *silence) open() error {
	q := load.OpenRequest{
		PrepareRequest: load.PrepareRequest{Flags: s.Rig.Agents.Flags, Case: s.Case.Name(), Addrs: s.Running[0].Addrs(), Certs: stack.CertificatesOfClient(s.Rig.Agents.Certs)},
		Conns:          s.want,
	}
	if s.Running[0].Holder != nil {
		q.Server = s.Running[0].Holder.Ready().PID
	}
	if err := (load.Child{Host: s.client}).Ask("/open", q, &s.opened); err != nil {
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
func (s *silence) count() int {
	n, err := sockets.Open(s.Datagrams, s.Running[0].Addrs(), s.client.Ready().PID)
	if err != nil {
		return s.opened.Asked
	}
	return n
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

// side returns the metrics of a side, none of which is less than 0. What the system does not
// tell is 0.
func (s *silence) side(name string, before, after held) []loadbench.Metric {
	list := probe.MemoryPer("conn", s.conns, name, before.Holdings, after.Holdings)
	per := func(known bool, total float64, unit string) {
		if known {
			list = append(list, loadbench.Metric{Value: max(total, 0) / float64(s.conns), Unit: name + unit})
		}
	}
	per(true, float64(after.Goroutines-before.Goroutines), "-goroutines/conn")
	per(after.Files > 0, float64(after.Files-before.Files), "-fds/conn")
	per(true, after.cpu-before.cpu, "-idle-cpu-ns/conn-s")
	return list
}
