package brpc

import (
	"context"
	"errors"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/rpc"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

var _ framework.StreamClient = (*streamClient)(nil)

// Actions of a stream's last messages.
const (
	actionEnd   = "end"   // from the client: no more messages follow, and the server closes the stream
	actionError = "error" // from the server: the message is the text of the handler's error
)

// echoes sends and receives the messages of a stream, on both sides.
type echoes struct{ *rpc.Stream }

func (s echoes) send(m *protobuf.EchoMessage) error { return s.Send(m) }

// tell sends the last message of a side.
func (s echoes) tell(action, text string) error {
	return s.Send(&protobuf.EchoMessage{Action: action, Msg: []byte(text)})
}

// receive receives a message on the server. The client's last message becomes io.EOF.
func (s echoes) receive() (*protobuf.EchoMessage, error) {
	m := new(protobuf.EchoMessage)
	if err := s.Recv(m); err != nil {
		return nil, err
	}
	if m.Action == actionEnd {
		return nil, io.EOF
	}
	return m, nil
}

// handleStream answers the messages of a stream.
func handleStream(raw *rpc.Stream) {
	s := echoes{raw}
	if err := protobuf.Kind.HandleStream(s.receive, s.send); err != nil {
		s.tell(actionError, err.Error()) // fails only if the stream has ended
	}
}

// streamClient is a client for a protocol with streams.
type streamClient struct{ client }

// OpenStream implements framework.StreamClient.
func (c *streamClient) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	raw, err := c.of(worker).OpenStream(ctx, methodStream)
	if err != nil {
		return nil, err
	}
	s := &stream{echoes: echoes{raw}}
	return protobuf.Kind.Stream(native.Stream[protobuf.EchoMessage]{Send: s.send, Recv: s.receive, CloseSend: s.closeSend, Close: s.close}), nil
}

// stream is the client's end of a stream.
type stream struct {
	echoes
	failed error // the handler's error, once it has been received
}

// receive receives a message on the client. The server's last message may be the
// handler's error.
func (s *stream) receive() (*protobuf.EchoMessage, error) {
	if s.failed != nil {
		return nil, s.failed
	}
	m := new(protobuf.EchoMessage)
	if err := s.Recv(m); err != nil {
		return nil, err
	}
	if m.Action == actionError {
		s.failed = errors.New(string(m.Msg))
		return nil, s.failed
	}
	return m, nil
}

func (s *stream) closeSend() error { return s.tell(actionEnd, "") }

func (s *stream) close() error {
	s.Close()
	return nil
}
