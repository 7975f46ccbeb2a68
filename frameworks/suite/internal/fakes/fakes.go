// Package fakes has clients and streams for tests, which answer within the process.
package fakes

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Client is a client whose replies are made from copies of the requests.
type Client struct {
	framework.Client
	Reply func(copied framework.EchoMessage) framework.EchoMessage
}

// Echo implements framework.Client.
func (f Client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(_ context.Context, worker int) error { return check(worker, f.To(requests[worker])) }
}

// EchoAsync implements framework.AsyncClient.
func (f Client) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	return func(_ context.Context, worker int, done func(error)) { done(check(worker, f.To(requests[worker]))) }
}

// OpenStream implements framework.StreamClient.
func (f Client) OpenStream(context.Context, int) (framework.EchoStream, error) {
	return &pipe{answers: make(chan framework.EchoMessage, 1), fault: func(m framework.EchoMessage) []framework.EchoMessage {
		return []framework.EchoMessage{f.To(m)}
	}}, nil
}

// To returns the reply to a request.
func (f Client) To(request framework.EchoMessage) framework.EchoMessage {
	return f.Reply(framework.EchoMessage{Action: request.Action, Msg: bytes.Clone(request.Msg)})
}

// pipe is a stream within this process. Its fault returns the messages that the server
// receives instead of a message, and back those that the client receives; nil for all.
type pipe struct {
	server  handler.Stream
	answers chan framework.EchoMessage
	fault   func(framework.EchoMessage) []framework.EchoMessage
	back    func(framework.EchoMessage) []framework.EchoMessage
}

func (p *pipe) Send(m framework.EchoMessage) error {
	m.Msg = append([]byte(nil), m.Msg...)
	for _, m := range p.fault(m) {
		if err := p.server.Handle(m, p.answer); err != nil {
			return err
		}
	}
	return nil
}

// answer hands over a copy, since the server uses the memory again.
func (p *pipe) answer(m framework.EchoMessage) error {
	m.Msg = bytes.Clone(m.Msg)
	list := []framework.EchoMessage{m}
	if p.back != nil {
		list = p.back(m)
	}
	for _, m := range list {
		p.answers <- m
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

func (p *pipe) Close() error {
	p.server.End()
	return nil
}

// PipeClient opens pipes. Fault changes what the server receives, and Back, if it is set, what
// the client does.
type PipeClient struct {
	framework.Client
	Fault, Back func(framework.EchoMessage) []framework.EchoMessage
}

// OpenStream implements framework.StreamClient. A stream that has subscribed ends with ctx.
func (c PipeClient) OpenStream(ctx context.Context, _ int) (framework.EchoStream, error) {
	p := &pipe{answers: make(chan framework.EchoMessage, 1000), fault: c.Fault, back: c.Back}
	context.AfterFunc(ctx, p.server.End)
	return p, nil
}
