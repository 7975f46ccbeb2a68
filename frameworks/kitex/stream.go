package kitex

import (
	"context"
	"sync"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/streaming"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// streamable is a client that can be turned into one with streams.
type streamable interface {
	streaming() framework.StreamClient
}

// streamClient is a client for a setup with streams. Kitex chooses the connection of a
// stream.
type streamClient[E, Q, R any] struct {
	*client[E, Q, R]
	closed context.Context // ends all streams: kitex leaves the connections of TTHeader Streaming open
	close  context.CancelFunc
}

func (c *client[E, Q, R]) streaming() framework.StreamClient {
	closed, shut := context.WithCancel(context.Background())
	return &streamClient[E, Q, R]{c, closed, shut}
}

// Close implements framework.Client.
func (c *streamClient[E, Q, R]) Close() error {
	c.close()
	return c.client.Close()
}

// OpenStream implements framework.StreamClient. It returns when ctx ends, even if kitex
// does not: after a failed dial, TTHeader Streaming waits for a lock for ever.
func (c *streamClient[E, Q, R]) OpenStream(ctx context.Context, _ int) (framework.EchoStream, error) {
	s := &stream[E]{}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.forget = context.AfterFunc(c.closed, s.cancel)
	opened := make(chan error, 1)
	go func() {
		var err error
		s.raw, err = c.conns.(kitexclient.Streaming).StreamX(s.ctx, methodStream)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err != nil {
			s.end()
			return nil, err
		}
		return c.kind.Stream(native.Stream[E]{Send: s.send, Recv: s.recv, CloseSend: s.closeSend, Close: s.close}), nil
	case <-s.ctx.Done():
		go func() {
			if <-opened == nil {
				s.close()
			}
		}()
		return nil, s.ctx.Err()
	}
}

// stream is an open stream.
type stream[E any] struct {
	raw    streaming.ClientStream
	ctx    context.Context
	cancel context.CancelFunc
	forget func() bool // stops watching streamClient.closed

	mu    sync.Mutex // held by the receiver
	ended bool       // the last message was received
}

func (s *stream[E]) end() {
	s.forget()
	s.cancel()
}

func (s *stream[E]) send(m *E) error { return s.raw.SendMsg(s.ctx, m) }

func (s *stream[E]) recv() (*E, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := new(E)
	err := s.raw.RecvMsg(s.ctx, m)
	s.ended = s.ended || err != nil
	return m, err
}

func (s *stream[E]) closeSend() error { return s.raw.CloseSend(s.ctx) }

// close gives the stream up. It goes on to receive, since kitex only then notices that
// the context has ended and tells the server.
func (s *stream[E]) close() error {
	s.end()
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for !s.ended {
			s.ended = s.raw.RecvMsg(s.ctx, new(E)) != nil
		}
	}()
	return nil
}
