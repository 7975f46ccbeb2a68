package load

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

// member is one of the agents that make the calls of a case together.
type member interface {
	// Ask gives an order and reads the reply.
	Ask(path string, question, answer any) error
	// Run is ask of /run, with the times of that agent's clock, and so are Start of /start and
	// Step of /step.
	Run(q RunRequest) (RunReply, error)
	Start(q RunRequest) error
	Step(q StepRequest, reply *StepReply) error
	pid() int // 0 for one on another machine
	Close() error
}

// Child is an agent that this process has started.
type Child struct {
	*host.Host
	meeting *remote.Rank // nil without ranks
	unbind  func() bool  // from the end of the run of all ranks
}

// startChild starts an agent, from a file or, with "", from that of this process. Several on this machine share its CPUs. It ends with the run of
// all ranks, whose calls nobody needs any more.
func startChild(ctx context.Context, s *Agents, procs int, file string) (Child, error) {
	h, err := host.Start(ctx, host.Config{Serve: AgentID, File: file, CPUs: s.CPUs, Procs: procs})
	if err != nil {
		return Child{}, err
	}
	c := Child{Host: h, meeting: s.Meeting}
	if c.meeting != nil {
		c.unbind = c.meeting.AfterEnd(h.Kill)
	}
	return c, nil
}

func (c Child) pid() int { return c.Ready().PID }

// Close implements member.
func (c Child) Close() error {
	if c.meeting != nil {
		c.unbind()
	}
	return c.Stop()
}

// why returns why a request to the agent failed. If the run of all ranks has ended, or the
// agent has, that is the reason, and not err, which came of it.
func (c Child) why(err error) error {
	if c.meeting != nil {
		return cmp.Or(c.meeting.Err(), c.Err(), err)
	}
	return cmp.Or(c.Err(), err)
}

// Run implements member.
func (c Child) Run(q RunRequest) (reply RunReply, err error) {
	return reply, c.Ask("/run", q, &reply)
}

// Start implements member.
func (c Child) Start(q RunRequest) error { return c.Ask("/start", q, &struct{}{}) }

// Step implements member.
func (c Child) Step(q StepRequest, reply *StepReply) error { return c.Ask("/step", q, reply) }

// Ask implements member.
func (c Child) Ask(path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	text, err := c.post(path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// maxReply bounds the bytes of an agent's reply.
const maxReply = 64 << 20

// post sends an order and returns the reply.
func (c Child) post(path string, body []byte) (text []byte, err error) {
	request, err := http.NewRequest(http.MethodPost, "http://"+c.Addr()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.Authorize(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, c.why(err)
	}
	defer response.Body.Close()
	if text, err = io.ReadAll(limit.Reader(response.Body, maxReply)); err != nil {
		return nil, c.why(err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("client: %s", foreign.Line(strings.TrimSpace(string(text))))
	}
	return text, nil
}

// other is the agent of another rank, which passes orders on to a child of its own.
type other struct {
	*remote.Other
	meeting *remote.Rank
}

func (o other) pid() int { return 0 }

func (o other) Run(q RunRequest) (reply RunReply, err error) {
	q.At = o.meeting.There(q.At)
	err = o.Ask("/run", q, &reply)
	reply.Began = o.meeting.Here(reply.Began)
	return reply, err
}

func (o other) Start(q RunRequest) error {
	q.At = o.meeting.There(q.At)
	return o.Ask("/start", q, &struct{}{})
}

func (o other) Step(q StepRequest, reply *StepReply) error {
	err := o.Ask("/step", q, reply)
	if reply.Done != nil {
		reply.Done.Began = o.meeting.Here(reply.Done.Began)
	}
	return err
}

// Close implements member. The agent of a rank that has ended has ended with it.
func (o other) Close() error {
	err := o.Ask(leaving, struct{}{}, &struct{}{})
	if o.Lost() {
		return nil
	}
	return err
}
