package drpc

import (
	"context"

	"google.golang.org/protobuf/proto"
	"storj.io/drpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// Names of the methods, as in generated code.
const (
	methodEcho    = "/rpcbench.Bencher/Echo"
	methodMessage = "/rpcbench.Bencher/Message"
	methodUnknown = "/rpcbench.Bencher/Unknown"
	methodStream  = "/rpcbench.Streamer/Stream"
)

// description describes the services to the server. It is written by hand, and does
// the same as generated code.
type description struct{}

var _ drpc.Description = description{}

// NumMethods implements drpc.Description.
func (description) NumMethods() int { return 3 }

// Method implements drpc.Description.
func (description) Method(n int) (string, drpc.Encoding, drpc.Receiver, any, bool) {
	switch n {
	case 0:
		receive := func(srv any, ctx context.Context, in, _ any) (drpc.Message, error) {
			return srv.(service).echo(ctx, in.(*protobuf.EchoMessage))
		}
		return methodEcho, encoding{}, receive, service.echo, true
	case 1:
		receive := func(srv any, ctx context.Context, in, _ any) (drpc.Message, error) {
			return srv.(service).message(ctx, in.(*protobuf.BenchMessage))
		}
		return methodMessage, encoding{}, receive, service.message, true
	case 2:
		receive := func(srv any, _ context.Context, in, _ any) (drpc.Message, error) {
			return nil, srv.(service).stream(messages{in.(drpc.Stream)})
		}
		return methodStream, encoding{}, receive, service.stream, true
	}
	return "", nil, nil, nil, false
}

// messages sends and receives the messages of a stream.
type messages struct{ drpc.Stream }

func (s messages) send(m *protobuf.EchoMessage) error { return s.MsgSend(m, encoding{}) }

func (s messages) recv() (*protobuf.EchoMessage, error) {
	m := new(protobuf.EchoMessage)
	return m, s.MsgRecv(m, encoding{})
}

// encoding encodes protobuf messages.
type encoding struct{}

var _ drpc.Encoding = encoding{}

// Marshal implements drpc.Encoding.
func (encoding) Marshal(m drpc.Message) ([]byte, error) { return proto.Marshal(m.(proto.Message)) }

// MarshalAppend is called by drpc instead of Marshal.
func (encoding) MarshalAppend(b []byte, m drpc.Message) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(b, m.(proto.Message))
}

// Unmarshal implements drpc.Encoding.
func (encoding) Unmarshal(b []byte, m drpc.Message) error {
	return proto.Unmarshal(b, m.(proto.Message))
}
