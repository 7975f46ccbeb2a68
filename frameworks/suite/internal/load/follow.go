package load

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
)

// leaving is the order to end the agent of a case.
const leaving = "/leave"

// follower carries out the orders of rank 0. Each case has a new agent, as on one machine:
// a process that has made the calls of another case has another heap.
type follower struct {
	*Agents
	agent *Child // nil between cases
}

// Follow is all that a rank other than 0 does. Its first order comes within patience. The error
// says why the run ended; nil for an orderly end.
func Follow(s *Agents, patience time.Duration) error {
	f := &follower{Agents: s}
	defer f.leave()
	return s.Meeting.Follow(patience, f.do)
}

func (f *follower) do(path string, body []byte) (any, error) {
	switch path {
	case leaving:
		return struct{}{}, f.leave()
	case remote.AskBuild:
		var b builds.Build
		err := json.Unmarshal(body, &b)
		if err == nil {
			_, err = f.Shelf.Find(b)
		}
		return struct{}{}, err
	case "/prepare":
		if err := f.begin(body); err != nil {
			return nil, err
		}
	}
	switch {
	case f.agent == nil:
		return nil, errUnprepared
	case path == "/run":
		return f.run(body)
	case path == "/start":
		return f.start(body)
	case path == "/step":
		return f.step(body)
	}
	reply, err := f.agent.post(path, body)
	return json.RawMessage(reply), err
}

// begin starts a new agent, of the build that rank 0 names.
func (f *follower) begin(body []byte) error {
	f.leave()
	var q struct{ Build *builds.Build } // of a PrepareRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return err
	}
	file := ""
	if q.Build != nil && q.Build.Hash != f.Build.Hash {
		var err error
		if file, err = f.Shelf.Find(*q.Build); err != nil {
			return err
		}
	}
	agent, err := startChild(context.Background(), f.Agents, ClientProcs(), file)
	if err == nil {
		f.agent = &agent
	}
	return err
}

// run has the agent make calls, by this clock.
func (f *follower) run(body []byte) (reply RunReply, err error) {
	var q RunRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return reply, err
	}
	q.At = f.Meeting.Here(q.At)
	reply, err = f.agent.Run(q)
	reply.Began = f.Meeting.There(reply.Began)
	return reply, err
}

// start has the agent begin to make calls, by this clock.
func (f *follower) start(body []byte) (reply struct{}, err error) {
	var q RunRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return reply, err
	}
	q.At = f.Meeting.Here(q.At)
	return reply, f.agent.Start(q)
}

// step passes a batch of the agent on, or what it has measured.
func (f *follower) step(body []byte) (reply struct {
	Batch json.RawMessage // as it is
	Done  *RunReply
}, err error,
) {
	text, err := f.agent.post("/step", body)
	if err == nil {
		err = json.Unmarshal(text, &reply)
	}
	if reply.Done != nil {
		reply.Done.Began = f.Meeting.There(reply.Done.Began)
	}
	return reply, err
}

func (f *follower) leave() error {
	if f.agent == nil {
		return nil
	}
	defer func() { f.agent = nil }()
	return f.agent.Close()
}
