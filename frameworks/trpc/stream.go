package trpc

import (
	"context"
	"errors"
	"io"
	"time"

	trpcgo "trpc.group/trpc-go/trpc-go/client"
	"trpc.group/trpc-go/trpc-go/codec"
	"trpc.group/trpc-go/trpc-go/pool/multiplexed"
	trpcserver "trpc.group/trpc-go/trpc-go/server"
	"trpc.group/trpc-go/trpc-go/stream"
	"trpc.group/trpc-go/trpc-go/transport"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/trpc/internal/pb"
)

const methodStream = "/" + service + "/Stream"

// streamed is the description of a service with a stream.
func streamed() *trpcserver.ServiceDesc {
	d := description
	d.Streams = []trpcserver.StreamDesc{{StreamName: methodStream, Handler: answer, ServerStreams: true, ClientStreams: true}}
	d.StreamHandle = stream.NewStreamDispatcher()
	return &d
}

// answer answers the messages of a stream.
func answer(_ any, s trpcserver.Stream) error {
	var h handler.Stream
	defer h.End()
	send := func(m framework.EchoMessage) error { return s.SendMsg(newEcho(m)) }
	for {
		m := new(pb.EchoMessage)
		err := s.RecvMsg(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = h.Handle(framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()}, send)
		}
		if err != nil {
			return err
		}
	}
}

// streams opens the streams of a client, which have shared connections of their own.
type streams struct {
	client  stream.Client
	options [][]trpcgo.Option // of each connection
}

func newStreams(addr string, patience time.Duration, o framework.DialOptions) *streams {
	s := &streams{client: stream.NewStreamClient()}
	all := transport.NewClientStreamTransport()
	for range o.Conns {
		pool := multiplexed.New(multiplexed.WithConnectNumber(1), multiplexed.WithDialTimeout(patience))
		s.options = append(s.options, append(target(addr), trpcgo.WithStreamTransport(all), trpcgo.WithMultiplexedPool(pool)))
	}
	return s
}

// streamingClient is a client of a service with a stream.
type streamingClient struct {
	*client
	streams *streams
}

// OpenStream implements framework.StreamClient. tRPC-Go does not tell a server of a context that
// has ended: what ends the stream does, and the context that ends with it comes after that.
func (c *streamingClient) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	inner, msg := codec.WithCloneMessage(inner)
	prepare(msg, methodStream)
	s, err := c.streams.client.NewStream(inner, &trpcgo.ClientStreamDesc{StreamName: methodStream, ClientStreams: true, ServerStreams: true},
		methodStream, c.streams.options[worker%len(c.streams.options)]...)
	if err != nil {
		cancel()
		return nil, err
	}
	opened := &echoStream{trpc: s, ctx: ctx, cancel: cancel}
	opened.stop = context.AfterFunc(ctx, opened.end)
	return opened, nil
}

type echoStream struct {
	trpc   trpcgo.ClientStream
	ctx    context.Context
	cancel context.CancelFunc
	stop   func() bool
	ended  error // of Recv: tRPC-Go would wait for more
}

// end has the server's handler end, and gives up what waits for it.
func (s *echoStream) end() {
	_ = s.trpc.CloseSend() // fails if the connection has
	s.cancel()
}

// Send implements framework.EchoStream.
func (s *echoStream) Send(m framework.EchoMessage) error {
	return s.because(s.trpc.SendMsg(newEcho(m)))
}

// Recv implements framework.EchoStream.
func (s *echoStream) Recv() (framework.EchoMessage, error) {
	m := new(pb.EchoMessage)
	if s.ended == nil {
		s.ended = s.trpc.RecvMsg(m)
	}
	if s.ended != nil {
		return framework.EchoMessage{}, s.because(s.ended)
	}
	return framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()}, nil
}

// because adds why the context has ended, if it has.
func (s *echoStream) because(err error) error {
	if err == nil || s.ctx.Err() == nil {
		return err
	}
	return errors.Join(s.ctx.Err(), err)
}

// CloseSend implements framework.EchoStream.
func (s *echoStream) CloseSend() error { return s.trpc.CloseSend() }

// Close implements framework.EchoStream.
func (s *echoStream) Close() error {
	s.stop()
	s.end()
	return nil
}
