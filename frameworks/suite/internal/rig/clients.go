package rig

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// clients is the load of several client processes, for servers that a single client
// cannot saturate. They start together, and their results are merged.
type clients struct {
	agents []*host.Host
}

// startClients starts n agents of a case. They are ready to run when it returns.
func startClients(ctx context.Context, s *Settings, n int, c plan.Case, addrs []string) (*clients, error) {
	t := &clients{agents: make([]*host.Host, n)}
	err := t.each(func(i int) error {
		procs := max((runtime.GOMAXPROCS(0)+n-1)/n, 1)
		agent, err := host.Start(ctx, host.Config{Serve: agentID, CPUs: s.pinning.Client, Procs: procs})
		if err != nil {
			return err
		}
		t.agents[i] = agent
		return post(agent, "/prepare", prepareRequest{Flags: s.flags, Case: c.Name(), Addrs: addrs, Rank: i, Size: n, Certs: s.certs.OfClient()}, &struct{}{})
	})
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// each calls do for all agents at the same time.
func (t *clients) each(do func(i int) error) error {
	errs := make([]error, len(t.agents))
	var wg sync.WaitGroup
	for i := range t.agents {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// startDelay is how far ahead the common start of all agents is set.
const startDelay = 10 * time.Millisecond

// run implements load. Each agent runs its own watchdog.
func (t *clients) run(b Bench, n int, cfg loadgen.Config) (m measured, err error) {
	b.ReportAllocs() // without it, testing drops the B/op and allocs/op that are reported below
	cfg.OnStart()
	use := new(usage)
	for _, a := range t.agents {
		use.meters = append(use.meters, a)
	}
	use.start()
	b.ResetTimer()
	replies, err := t.calls(runRequest{At: time.Now().Add(startDelay), Duration: cfg.Duration}, int64(n))
	b.StopTimer()
	use.stop()
	cfg.OnStop()
	if err != nil {
		return m, err
	}
	m.Result, err = merge(replies)
	m.CPU = use.cpu
	m.more = use.metrics(m.Sent, "")
	if m.Closed {
		m.more = append(m.more, loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"})
	}
	return m, err
}

// merge returns the merged result of all agents. The error says why an agent ended
// early.
func merge(replies []runReply) (whole *loadgen.Result, err error) {
	whole = new(loadgen.Result)
	for _, r := range replies {
		if r.Result == nil {
			continue // this agent had no call to make
		}
		err = cmp.Or(err, whole.Merge(r.Result))
		if r.Error != "" {
			err = cmp.Or(err, errors.New(r.Error))
		}
	}
	return whole, err
}

// calls lets every agent make its share of the calls, and returns their replies.
func (t *clients) calls(s runRequest, n int64) ([]runReply, error) {
	replies := make([]runReply, len(t.agents))
	return replies, t.each(func(i int) error {
		s := s
		if s.Calls = int64(shareOf(int(n), i, len(t.agents))); s.Calls == 0 {
			return nil
		}
		return post(t.agents[i], "/run", s, &replies[i])
	})
}

// maxReply bounds the bytes of an agent's reply.
const maxReply = 64 << 20

// post sends a request to an agent and reads its reply.
func post(agent *host.Host, path string, q, a any) error {
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+agent.Addr()+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	agent.Authorize(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return cmp.Or(agent.Err(), err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(limit.Reader(response.Body, maxReply))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("client: %s", strings.TrimSpace(string(text)))
	}
	return json.Unmarshal(text, a)
}

// pids implements load.
func (t *clients) pids() (list []int) {
	for _, a := range t.agents {
		list = append(list, a.Ready().PID)
	}
	return list
}

// close implements load. The end of the processes is waited for.
func (t *clients) close() error {
	t.each(func(i int) error {
		if t.agents[i] == nil {
			return nil
		}
		return t.agents[i].Stop()
	})
	return nil
}
