package zrpc

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/zrpc/internal/pb"
)

// Stream answers the messages of a stream.
func (service) Stream(stream grpc.BidiStreamingServer[pb.EchoMessage, pb.EchoMessage]) error {
	var h handler.Stream
	defer h.End()
	answer := func(m framework.EchoMessage) error { return stream.Send(newEcho(m)) }
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = h.Handle(framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()}, answer)
		}
		if err != nil {
			return err
		}
	}
}

// OpenStream implements framework.StreamClient. A stream has a context of its own, because
// cancelling the context is gRPC's only way to give a stream up.
func (c *client) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s, err := pb.NewStreamerClient(c.of(worker)).Stream(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	return &stream{s, cancel}, nil
}

type stream struct {
	grpc   grpc.BidiStreamingClient[pb.EchoMessage, pb.EchoMessage]
	cancel context.CancelFunc
}

// Send implements framework.EchoStream.
func (s *stream) Send(m framework.EchoMessage) error { return s.grpc.Send(newEcho(m)) }

// Recv implements framework.EchoStream.
func (s *stream) Recv() (framework.EchoMessage, error) {
	m, err := s.grpc.Recv()
	if err != nil {
		return framework.EchoMessage{}, err
	}
	return framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()}, nil
}

// CloseSend implements framework.EchoStream.
func (s *stream) CloseSend() error { return s.grpc.CloseSend() }

// Close implements framework.EchoStream.
func (s *stream) Close() error {
	s.cancel()
	return nil
}
