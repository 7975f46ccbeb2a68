package ttrpc

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/containerd/ttrpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

var _ framework.StreamClient = (*client[protobuf.BenchMessage, protobuf.BenchMessage])(nil)

// bidirectional describes the stream, as generated code does it.
var bidirectional = ttrpc.StreamDesc{StreamingClient: true, StreamingServer: true}

// handleStream answers the messages of a stream until the client's last message.
func handleStream(_ context.Context, s ttrpc.StreamServer) (any, error) {
	recv := func() (*protobuf.EchoMessage, error) {
		req := new(protobuf.EchoMessage)
		return req, s.RecvMsg(req)
	}
	send := func(m *protobuf.EchoMessage) error { return s.SendMsg(m) }
	return nil, protobuf.Kind.HandleStream(recv, send)
}

// OpenStream implements framework.StreamClient.
func (c *client[Q, R]) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &stream{fits: c.fits, ctx: &patience{Context: ctx}, cancel: cancel}
	raw, err := c.of(worker).NewStream(s.ctx, &bidirectional, serviceName, methodStream, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	s.raw = raw
	return protobuf.Kind.Stream(native.Stream[protobuf.EchoMessage]{Send: s.send, Recv: s.recv, CloseSend: s.closeSend, Close: s.close}), nil
}

// stream is an open stream. ttrpc has no way to give a stream up, so it is read to its
// end. Otherwise, when its buffer is full, it would stop the other streams and calls of
// its connection for a second.
type stream struct {
	raw    ttrpc.ClientStream
	fits   func(payload []byte) error
	ctx    *patience
	cancel context.CancelFunc

	sends sync.Mutex // held by the sender
	recvs sync.Mutex // held by the receiver
	end   error      // what ended the stream; ttrpc itself says it once, and then waits for ever
	ended atomic.Bool
}

// patience is a context whose end can be turned off. ttrpc checks a stream's context
// only when it receives.
type patience struct {
	context.Context
	endless atomic.Bool
}

// Done implements context.Context.
func (p *patience) Done() <-chan struct{} {
	if p.endless.Load() {
		return nil
	}
	return p.Context.Done()
}

// send sends a message. After the end of the stream it returns io.EOF, because the
// server would answer with an error.
func (s *stream) send(m *protobuf.EchoMessage) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if err := s.fits(m.Msg); err != nil {
		return err
	}
	s.sends.Lock()
	defer s.sends.Unlock()
	if s.ended.Load() {
		return io.EOF
	}
	return s.raw.SendMsg(m)
}

func (s *stream) recv() (*protobuf.EchoMessage, error) {
	s.recvs.Lock()
	defer s.recvs.Unlock()
	if s.end != nil {
		return nil, s.end
	}
	reply := new(protobuf.EchoMessage)
	if err := s.raw.RecvMsg(reply); err != nil {
		if s.ctx.Err() == nil {
			s.end = err
			s.ended.Store(true)
		}
		return nil, err
	}
	return reply, nil
}

func (s *stream) closeSend() error {
	s.sends.Lock()
	defer s.sends.Unlock()
	return s.raw.CloseSend()
}

func (s *stream) close() error {
	s.cancel()
	if !s.ended.Load() {
		go s.drain()
	}
	return nil
}

// drain has the server end the stream, and drops all further messages.
func (s *stream) drain() {
	s.closeSend() // fails only if it was done before, or if the connection is lost
	s.recvs.Lock()
	defer s.recvs.Unlock()
	s.ctx.endless.Store(true)
	for !s.ended.Load() {
		s.ended.Store(s.raw.RecvMsg(new(protobuf.EchoMessage)) != nil)
	}
}
