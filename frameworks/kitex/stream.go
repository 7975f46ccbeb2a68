package kitex

import (
	"context"
	"io"
	"sync"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/pkg/streaming"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// methodStream is the method of the service that is a stream both ways. It is
// in no IDL: the client that kitex generates of a service with a stream makes
// all its calls by gRPC. Put beside the generated methods by hand it leaves
// them alone, and streams take the connections of the calls where kitex can
// share them.
const methodStream = "Stream"

// streamHandler is the handler of the stream.
type streamHandler interface {
	Stream(context.Context, streaming.ServerStream) error
}

// streamMethod describes the stream, as generated code does it.
func streamMethod() serviceinfo.MethodInfo {
	handle := func(ctx context.Context, handler, args, _ any) error {
		return handler.(streamHandler).Stream(ctx, args.(*streaming.Args).ServerStream)
	}
	none := func() any { return nil }
	return serviceinfo.NewMethodInfo(handle, none, none, false, serviceinfo.WithStreamingMode(serviceinfo.StreamingBidirectional))
}

// Stream answers the messages of a stream until the client has sent its last.
func (h *handler[E, B]) Stream(ctx context.Context, s streaming.ServerStream) error {
	var work framework.StreamHandler
	for {
		m := h.newEcho(framework.EchoMessage{})
		if err := s.RecvMsg(ctx, m); err != nil {
			return notEOF(err)
		}
		answer, ok, err := work.Handle(framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()})
		if err == nil && ok {
			err = s.SendMsg(ctx, h.newEcho(answer))
		}
		if err != nil {
			return err
		}
	}
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// streamer is a stub that opens streams.
type streamer interface {
	stream(context.Context) (rawStream, error)
}

// rawStream is a stream of one kind of messages.
type rawStream interface {
	send(context.Context, framework.EchoMessage) error
	recv(context.Context) (framework.EchoMessage, error)
	CloseSend(context.Context) error
}

// streamCaller is a caller over a wiring that carries streams. Kitex chooses
// their connections.
type streamCaller struct {
	caller
	streamer
	closed context.Context // ends all streams: kitex leaves the connections of TTHeader Streaming open
	close  context.CancelFunc
}

var _ framework.StreamClient = streamCaller{}

func newStreamCaller(c caller) streamCaller {
	closed, shut := context.WithCancel(context.Background())
	return streamCaller{c, c.stub.(streamer), closed, shut}
}

// Close implements framework.Client.
func (c streamCaller) Close() error {
	c.close()
	return c.caller.Close()
}

// OpenStream implements framework.StreamClient. It waits for kitex no longer than
// ctx: TTHeader Streaming, once it failed to dial, waits for a lock for ever.
func (c streamCaller) OpenStream(ctx context.Context, _ int) (framework.EchoStream, error) {
	s := &stream{}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.forget = context.AfterFunc(c.closed, s.cancel)
	opened := make(chan error, 1)
	go func() {
		var err error
		s.raw, err = c.stream(s.ctx)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err != nil {
			s.end()
			return nil, err
		}
		return s, nil
	case <-s.ctx.Done():
		go func() {
			if <-opened == nil {
				s.Close()
			}
		}()
		return nil, s.ctx.Err()
	}
}

// stream is an open stream.
type stream struct {
	raw    rawStream
	ctx    context.Context
	cancel context.CancelFunc
	forget func() bool // the client's end

	mu    sync.Mutex // of who receives
	ended bool       // there is no more to receive
}

func (s *stream) end() {
	s.forget()
	s.cancel()
}

// Send implements framework.EchoStream.
func (s *stream) Send(m framework.EchoMessage) error { return s.raw.send(s.ctx, m) }

// Recv implements framework.EchoStream.
func (s *stream) Recv() (framework.EchoMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.raw.recv(s.ctx)
	s.ended = s.ended || err != nil
	return m, err
}

// CloseSend implements framework.EchoStream.
func (s *stream) CloseSend() error { return s.raw.CloseSend(s.ctx) }

// Close implements framework.EchoStream. Kitex sees that a context has ended, and
// tells the server, when it receives.
func (s *stream) Close() error {
	s.end()
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for !s.ended {
			_, err := s.raw.recv(s.ctx)
			s.ended = err != nil
		}
	}()
	return nil
}

// serviceStream is a stream of a service's messages.
type serviceStream[E echoMessage] struct {
	streaming.ClientStream
	newEcho func(framework.EchoMessage) E
}

func (s serviceStream[E]) send(ctx context.Context, m framework.EchoMessage) error {
	return s.SendMsg(ctx, s.newEcho(m))
}

func (s serviceStream[E]) recv(ctx context.Context) (framework.EchoMessage, error) {
	m := s.newEcho(framework.EchoMessage{})
	if err := s.RecvMsg(ctx, m); err != nil {
		return framework.EchoMessage{}, err
	}
	return framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()}, nil
}

func (s serviceStub[E, B]) stream(ctx context.Context) (rawStream, error) {
	st, err := s.client.(client.Streaming).StreamX(ctx, methodStream)
	return serviceStream[E]{st, s.service.newEcho}, err
}
