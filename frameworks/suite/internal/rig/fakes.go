package rig

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// fake is a client whose replies are made from copies of the requests.
type fake struct {
	framework.Client
	reply func(copied framework.EchoMessage) framework.EchoMessage
}

// Echo implements framework.Client.
func (f fake) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(_ context.Context, worker int) error { return check(worker, f.to(requests[worker])) }
}

// EchoAsync implements framework.AsyncClient.
func (f fake) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	return func(_ context.Context, worker int, done func(error)) { done(check(worker, f.to(requests[worker]))) }
}

// OpenStream implements framework.StreamClient.
func (f fake) OpenStream(context.Context, int) (framework.EchoStream, error) {
	return &pipe{answers: make(chan framework.EchoMessage, 1), fault: func(m framework.EchoMessage) []framework.EchoMessage {
		return []framework.EchoMessage{f.to(m)}
	}}, nil
}

func (f fake) to(request framework.EchoMessage) framework.EchoMessage {
	return f.reply(framework.EchoMessage{Action: request.Action, Msg: bytes.Clone(request.Msg)})
}

// pipe is a stream within this process. Its fault returns the messages that the server
// receives instead of a message.
type pipe struct {
	server  framework.StreamHandler
	answers chan framework.EchoMessage
	fault   func(framework.EchoMessage) []framework.EchoMessage
}

func (p *pipe) Send(m framework.EchoMessage) error {
	m.Msg = append([]byte(nil), m.Msg...)
	for _, m := range p.fault(m) {
		answer, ok, err := p.server.Handle(m)
		if err != nil {
			return err
		}
		if ok {
			p.answers <- answer
		}
	}
	return nil
}

// Recv ends the stream if nothing comes, so that a lost message does not hang the test.
func (p *pipe) Recv() (framework.EchoMessage, error) {
	select {
	case m := <-p.answers:
		return m, nil
	case <-time.After(2 * time.Second):
		return framework.EchoMessage{}, io.EOF
	}
}

func (p *pipe) CloseSend() error { return nil }

func (p *pipe) Close() error { return nil }

// pipeClient opens pipes.
type pipeClient struct {
	framework.Client
	fault func(framework.EchoMessage) []framework.EchoMessage
}

func (c pipeClient) OpenStream(context.Context, int) (framework.EchoStream, error) {
	return &pipe{answers: make(chan framework.EchoMessage, 1000), fault: c.fault}, nil
}
