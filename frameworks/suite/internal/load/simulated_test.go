package load

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/loadgen"
)

func TestMain(m *testing.M) {
	if host.Serving() != "" {
		os.Exit(host.Serve(startSimulated, nil))
	}
	os.Exit(m.Run())
}

// simulated is a process that does what an order says: it is the meeting, or has all ranks but
// the first, or is the agent of the first. So each has CPU time of its own.
type simulated struct {
	Orders
	traffic traffic
	agent   rankWithoutCalls
}

func startSimulated(string, string) (host.Server, error) {
	s := new(simulated)
	return s, s.Take(map[string]http.Handler{
		"/serve": Answer(s.serve), "/traffic": Answer(s.read), "/come": Answer(s.come),
		"/prepare": Answer(s.prepare), "/run": Answer(s.run), "/conns": Answer(s.conns),
	})
}

// simulatedToken is what ranks show to the meeting.
const simulatedToken = "a token of some length"

// serve begins to be the meeting, and returns its address.
func (s *simulated) serve(struct{}) (addr string, err error) {
	l, err := remote.Listen("127.0.0.1:0", simulatedToken)
	if err != nil {
		return "", err
	}
	go remote.Serve(context.Background(), metered{l, &s.traffic}, remote.Config{Token: simulatedToken}) //nolint:errcheck // serves until the process ends
	return l.Addr().String(), nil
}

// comeTo has a rank come to a meeting, of which it is a member until ctx ends.
func comeTo(ctx context.Context, addr string, rank, ranks int) (*remote.Rank, error) {
	m, err := remote.Dial(ctx, addr, remote.Secret{Token: simulatedToken})
	if err != nil {
		return nil, err
	}
	return m.Come(ctx, "simulated", remote.Place{Rank: rank, Ranks: ranks, Machine: fmt.Sprint("node", rank), PID: os.Getpid(), Facts: facts})
}

// facts are as long as what a rank says of itself: its flags, and its machine.
var facts = json.RawMessage(`"` + strings.Repeat("x", 1100) + `"`)

// patience bounds what should take seconds, on a busy machine.
const patience = 2 * time.Minute

// comeRequest has ranks come, each with a machine of its own, to the meeting at an address.
type comeRequest struct {
	Addr  string
	Ranks int // of which the first comes otherwise
}

// come returns when all are there. They follow until the process ends.
func (s *simulated) come(q comeRequest) (_ struct{}, err error) {
	errs := make([]error, q.Ranks)
	var wg sync.WaitGroup
	for rank := 1; rank < q.Ranks; rank++ {
		wg.Go(func() {
			errs[rank] = follow(q.Addr, rank, q.Ranks)
		})
	}
	wg.Wait()
	return struct{}{}, cmp.Or(errs...)
}

// follow has a rank come. As in a process of its own, it is a member no longer than it follows.
func follow(addr string, rank, ranks int) error {
	ctx, end := context.WithCancel(context.Background())
	r, err := comeTo(ctx, addr, rank, ranks)
	if err != nil {
		end()
		return err
	}
	go func() {
		defer end()
		_ = r.Follow(patience, rankWithoutCalls{r}.do) // rank 0 is told
	}()
	return nil
}

func (s *simulated) prepare(PrepareRequest) (_ struct{}, err error) { return struct{}{}, nil }

func (s *simulated) conns(struct{}) (int, error) { return 0, nil }

func (s *simulated) run(q RunRequest) (cannedReply, error) { return s.agent.calls(q), nil }

// rankWithoutCalls follows as a follower does.
type rankWithoutCalls struct {
	meeting *remote.Rank // nil for the first
}

func (r rankWithoutCalls) do(path string, body []byte) (any, error) {
	switch path {
	case "/conns":
		return 0, nil
	case "/run":
		return r.run(body)
	}
	return struct{}{}, nil
}

func (r rankWithoutCalls) run(body []byte) (reply cannedReply, err error) {
	var q RunRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return reply, err
	}
	q.At = r.meeting.Here(q.At)
	reply = r.calls(q)
	reply.Began = r.meeting.There(reply.Began)
	return reply, nil
}

// calls starts in time, and takes as long as calls would.
func (r rankWithoutCalls) calls(q RunRequest) cannedReply {
	time.Sleep(time.Until(q.At))
	began := time.Now()
	time.Sleep(q.Duration)
	return cannedReply{RunReply{Began: began}, canned()}
}

// cannedReply is a RunReply whose result is JSON already: on machines of their own, ranks
// encode theirs at the same time.
type cannedReply struct {
	RunReply
	Result json.RawMessage
}

// callsOfRank is how many each has made, as its result says.
const callsOfRank = 10_000

// canned is the result of calls at a rate: their times spread evenly over three decades.
var canned = sync.OnceValue(func() json.RawMessage {
	r := &loadgen.Result{Elapsed: time.Second, Due: callsOfRank, Sent: callsOfRank, OK: callsOfRank}
	random := rand.New(rand.NewPCG(1, 2))
	for range callsOfRank {
		service := time.Duration(1e5 * math.Pow(1000, random.Float64()))
		lag := time.Duration(random.ExpFloat64() * 1e4)
		r.Service.Record(service, 1)
		r.Lag.Record(lag, 1)
		r.Response.Record(service+lag, 1)
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return text
})

// traffic is what has passed a listener.
type traffic struct{ conns, bytes atomic.Int64 }

// trafficReply is what it has counted.
type trafficReply struct{ Conns, Bytes int64 }

func (s *simulated) read(struct{}) (trafficReply, error) {
	return trafficReply{s.traffic.conns.Load(), s.traffic.bytes.Load()}, nil
}

// metered counts its connections and their bytes.
type metered struct {
	net.Listener
	*traffic
}

func (m metered) Accept() (net.Conn, error) {
	c, err := m.Listener.Accept()
	if err != nil {
		return nil, err
	}
	m.conns.Add(1)
	return meteredConn{c, m.traffic}, nil
}

type meteredConn struct {
	net.Conn
	*traffic
}

func (c meteredConn) Read(p []byte) (n int, err error) {
	n, err = c.Conn.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

func (c meteredConn) Write(p []byte) (n int, err error) {
	n, err = c.Conn.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}
