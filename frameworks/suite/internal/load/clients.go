package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Clients is the load of several client processes, for servers that a single client
// cannot saturate: of -clients on this machine, or of ranks on any. They start together,
// and their results are merged.
type Clients struct {
	members []member
	ranks   bool // they are those of ranks
	unix    bool // the servers listen on Unix sockets
}

// Agents are what the agents of all cases have in common.
type Agents struct {
	Clients int               // agents of a case
	CPUs    cpus.Set          // of the client's side; nil for any
	Flags   map[string]string // of the suite, by name
	Certs   *layer.Certificates
	Meeting *remote.Rank  // with the other ranks; nil if there are none
	Build   *builds.Build // of all agents of ranks; nil for that of each process
	Shelf   *builds.Shelf // where a rank finds it
	// Others are those that rank 0 gives orders to. It waits for those that are to come again.
	Others func() ([]*remote.Other, error)
}

// StartClients starts the agents of a case. They are ready to run when it returns. A rank that was
// lost before is waited for.
func StartClients(ctx context.Context, s *Agents, c plan.Case, addrs []string) (*Clients, error) {
	t, err := startClients(ctx, s, c, addrs)
	if errors.As(err, new(remote.Lost)) {
		return startClients(ctx, s, c, addrs)
	}
	return t, err
}

func startClients(ctx context.Context, s *Agents, c plan.Case, addrs []string) (*Clients, error) {
	n := max(s.Clients, 1)
	t := &Clients{members: make([]member, n), ranks: s.Meeting != nil, unix: address.Network(addrs[0]) == "unix"}
	procs := max((runtime.GOMAXPROCS(0)+n-1)/n, 1)
	if t.ranks {
		procs = ClientProcs()
		others, err := s.Others()
		if err != nil {
			return nil, err
		}
		for _, o := range others {
			t.members[o.Rank] = other{o, s.Meeting}
		}
	}
	err := t.each(func(i int) (err error) {
		if t.members[i] == nil {
			agent, err := startChild(ctx, s, procs, "")
			if err != nil {
				return err
			}
			t.members[i] = agent
		}
		return t.members[i].Ask("/prepare", PrepareRequest{Flags: s.Flags, Case: c.Name(), Addrs: addrs, Rank: i, Size: n, Certs: stack.CertificatesOfClient(s.Certs), Build: s.Build}, &struct{}{})
	})
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// each calls do for all agents at the same time.
func (t *Clients) each(do func(i int) error) error { return t.eachOf(len(t.members), do) }

// eachOf calls do for the first n agents at the same time.
func (t *Clients) eachOf(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// Ahead is how far ahead the common start is set: by then all agents have heard of it.
func (t *Clients) Ahead() time.Duration {
	if !t.ranks {
		return 10 * time.Millisecond
	}
	return 200*time.Millisecond + time.Duration(len(t.members))*5*time.Millisecond
}

// Run implements load. Each agent runs its own watchdog.
func (t *Clients) Run(b Bench, n int, cfg loadgen.Config) (m Measured, err error) {
	b.ReportAllocs() // without it, testing drops the B/op and allocs/op that are reported below
	cfg.OnStart()
	replies, err := t.timed(b, t.request(cfg), int64(n))
	cfg.OnStop()
	if err != nil {
		return m, err
	}
	m, err = Merge(replies)
	err = cmp.Or(err, checkDues(cfg.Schedule, replies, cfg.Duration))
	m.Doubts = append(m.Doubts, apart(replies)...)
	return m, err
}

// request is what agents are told of a run of cfg.
func (t *Clients) request(cfg loadgen.Config) RunRequest {
	q := RunRequest{Duration: cfg.Duration}
	if _, at := cfg.Schedule.(AtRate); at {
		q.Own = ownOf(cfg, len(t.members))
	}
	return q
}

// timed has package testing take the time of the calls, by which it chooses the next n: not
// that of orders and results on their way.
func (t *Clients) timed(b Bench, s RunRequest, n int64) (replies []RunReply, err error) {
	s.At = time.Now().Add(t.Ahead())
	first, all := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(all)
		replies, err = t.Calls(s, n, sync.OnceFunc(func() { close(first) }))
	}()
	time.Sleep(time.Until(s.At))
	b.ResetTimer()
	<-first
	b.StopTimer()
	<-all
	return replies, err
}

// farApart is how far apart the starts of agents may be without a warning.
const farApart = 50 * time.Millisecond

// apart warns if the agents did not start together.
func apart(replies []RunReply) []string {
	var began []time.Time
	for _, r := range replies {
		if r.Result != nil {
			began = append(began, r.Began)
		}
	}
	if len(began) == 0 {
		return nil
	}
	first, last := slices.MinFunc(began, time.Time.Compare), slices.MaxFunc(began, time.Time.Compare)
	if d := last.Sub(first); d > farApart {
		return []string{fmt.Sprintf("the last client started %v after the first", d.Round(time.Millisecond))}
	}
	return nil
}

// Merge merges what all agents measured. The error says why an agent ended early.
func Merge(replies []RunReply) (m Measured, err error) {
	m.Result = new(loadgen.Result)
	var used host.Figures
	var taken call.Taken
	attempts, repeats := int64(0), false // of calls beyond the first
	for _, r := range replies {
		if r.Result == nil {
			continue // this agent had no call to make
		}
		err = cmp.Or(err, m.Result.Merge(r.Result))
		if r.Error != "" {
			err = cmp.Or(err, errors.New(r.Error))
		}
		used.Allocs += r.Used.Allocs
		used.AllocBytes += r.Used.AllocBytes
		m.CPU += r.Used.CPU
		taken = taken.And(r.Taken)
		if r.Repeated != nil {
			attempts, repeats = attempts+*r.Repeated, true
		}
	}
	m.Parts = replies
	m.More = append(Allocations(used, m.Sent, ""), taken.Metrics(m.Goodput())...)
	if repeats {
		m.More = append(m.More, call.Repeated(attempts, m.Sent))
	}
	if m.Closed {
		m.More = append(m.More, loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"})
	}
	return m, err
}

// Calls lets every agent make its share of n calls, and returns their replies. It calls done
// whenever one has replied.
func (t *Clients) Calls(s RunRequest, n int64, done func()) ([]RunReply, error) {
	replies := make([]RunReply, len(t.members))
	return replies, t.each(func(i int) (err error) {
		s := s
		if s.Calls = int64(shareOf(int(n), i, len(t.members))); s.Calls == 0 {
			return nil
		}
		defer done()
		replies[i], err = t.members[i].Run(s)
		return err
	})
}

// PIDs implements load.
func (t *Clients) PIDs() (list []int) {
	for _, m := range t.members {
		if pid := m.pid(); pid != 0 {
			list = append(list, pid)
		}
	}
	return list
}

// Conns implements load. Each agent counts its own, but of a Unix socket those of all.
func (t *Clients) Conns() (sum int, err error) {
	counts := make([]int, len(t.members))
	err = t.each(func(i int) error { return t.members[i].Ask("/conns", struct{}{}, &counts[i]) })
	if t.unix {
		return slices.Max(counts), err
	}
	for _, n := range counts {
		sum += n
	}
	return sum, err
}

// Close implements load. The end of the processes is waited for.
func (t *Clients) Close() error {
	return t.each(func(i int) error {
		if t.members[i] == nil {
			return nil
		}
		return t.members[i].Close()
	})
}
