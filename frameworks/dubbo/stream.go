package dubbo

import (
	"context"
	"errors"
	"io"

	"dubbo.apache.org/dubbo-go/v3/common"
	"dubbo.apache.org/dubbo-go/v3/common/constant"
	"dubbo.apache.org/dubbo-go/v3/protocol/triple/triple_protocol"

	"github.com/rpcbench/rpcbench/frameworks/dubbo/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// bidi describes a method of streams as protoc-gen-go-triple would generate it.
func bidi[H any](name string, handle func(H, *triple_protocol.BidiStream) error) common.MethodInfo {
	return common.MethodInfo{
		Name:           name,
		Type:           constant.CallBidiStream,
		StreamInitFunc: func(stream any) any { return stream },
		MethodFunc: func(_ context.Context, args []any, handler any) (any, error) {
			return nil, handle(handler.(H), args[0].(*triple_protocol.BidiStream))
		},
	}
}

// stream answers the messages of a stream. It is not exported, since dubbo-go would take it
// for a method of the Dubbo protocol, too.
func (b *Bencher[E, B]) stream(s *triple_protocol.BidiStream) error {
	var h handler.Stream
	defer h.End()
	send := func(m framework.EchoMessage) error { return s.Send(b.kind.newEcho(m)) }
	for {
		m := new(E)
		err := s.Receive(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = h.Handle(b.kind.get(m), send)
		}
		if err != nil {
			return err
		}
	}
}

// streamClient is a client over Triple, which has streams.
type streamClient struct {
	*client[pb.EchoMessage, pb.BenchMessage]
	conns  connections
	under  func(context.Context) context.Context
	closed context.Context // ends all streams, since connections stay open
	shut   context.CancelFunc
}

// OpenStream implements framework.StreamClient. It sends nil, because Triple would otherwise
// send the request only with the first message.
func (c *streamClient) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(c.under(ctx))
	raw, err := c.conns.of(worker).callBidi(ctx, methodStream)
	if err == nil {
		err = raw.Send(nil)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	// net/http ends an answer with the context only when the request's body has ended, too.
	forget := context.AfterFunc(ctx, func() { raw.CloseRequest() })
	return &stream{raw, cancel, [...]func() bool{forget, context.AfterFunc(c.closed, cancel)}}, nil
}

func (r *reference) callBidi(ctx context.Context, method string) (raw *triple_protocol.BidiStreamForClient, err error) {
	defer recovered(&err)
	s, err := r.connection.CallBidiStream(ctx, method)
	if err != nil {
		return nil, err
	}
	return s.(*triple_protocol.BidiStreamForClient), nil
}

// stream is the client's end of a stream.
type stream struct {
	raw    *triple_protocol.BidiStreamForClient
	cancel context.CancelFunc
	forget [2]func() bool
}

// Send implements framework.EchoStream.
func (s *stream) Send(m framework.EchoMessage) error { return s.raw.Send(protobufs.newEcho(m)) }

// Recv implements framework.EchoStream.
func (s *stream) Recv() (framework.EchoMessage, error) {
	m := new(pb.EchoMessage)
	if err := s.raw.Receive(m); err != nil {
		return framework.EchoMessage{}, err
	}
	return protobufs.get(m), nil
}

// CloseSend implements framework.EchoStream.
func (s *stream) CloseSend() error { return s.raw.CloseRequest() }

// Close implements framework.EchoStream.
func (s *stream) Close() error {
	for _, forget := range s.forget {
		forget()
	}
	s.cancel()
	s.raw.CloseRequest()
	s.raw.CloseResponse() // returns an error, since the stream was cancelled
	return nil
}
