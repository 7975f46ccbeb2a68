package kitex

import (
	"context"
	"errors"

	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/pkg/streaming"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"google.golang.org/protobuf/proto"
)

// bencher is the handler of the protobuf-go messages.
type bencher interface {
	Echo(context.Context, *protobuf.EchoMessage) (*protobuf.EchoMessage, error)
	Message(context.Context, *protobuf.BenchMessage) (*protobuf.BenchMessage, error)
}

// protobufService describes the service over protobuf-go messages, as generated code
// does. It is written by hand, since kitex's generator only makes prutal messages.
func protobufService() *serviceinfo.ServiceInfo {
	return &serviceinfo.ServiceInfo{
		ServiceName: "Bencher",
		HandlerType: (*bencher)(nil),
		Methods: map[string]serviceinfo.MethodInfo{
			methodEcho:    unary(bencher.Echo),
			methodMessage: unary(bencher.Message),
		},
		PayloadCodec: serviceinfo.Protobuf,
		Extra:        map[string]any{serviceinfo.PackageName: "rpcbench"},
	}
}

// unary describes a method. Over kitex's protocols its handler gets boxes, over gRPC a
// stream of one message each way.
func unary[T any, P message[T]](method func(bencher, context.Context, P) (P, error)) serviceinfo.MethodInfo {
	handle := func(ctx context.Context, handler, args, result any) error {
		switch args := args.(type) {
		case *box[T, P]:
			reply, err := method(handler.(bencher), ctx, args.message)
			result.(*box[T, P]).message = reply
			return err
		case *streaming.Args:
			return overStream(args.Stream, func(request P) (P, error) {
				return method(handler.(bencher), ctx, request)
			})
		}
		return errors.New("invalid message type for service method handler")
	}
	empty := func() any { return newBox[T, P](nil) }
	return serviceinfo.NewMethodInfo(handle, empty, empty, false, serviceinfo.WithStreamingMode(serviceinfo.StreamingUnary))
}

// overStream answers the one request of a stream.
func overStream[T any, P message[T]](s streaming.Stream, method func(P) (P, error)) error {
	request := P(new(T))
	if err := s.RecvMsg(request); err != nil {
		return err
	}
	reply, err := method(request)
	if err != nil {
		return err
	}
	return s.SendMsg(reply)
}

// message is a pointer to a generated message.
type message[T any] interface {
	*T
	proto.Message
}

// box holds the request or the reply of a call in the form that kitex's codec requires.
type box[T any, P message[T]] struct{ message P }

func newBox[T any, P message[T]](m P) *box[T, P] { return &box[T, P]{m} }

func (b *box[T, P]) Marshal(out []byte) ([]byte, error) {
	if b.message == nil {
		return out, nil
	}
	return proto.Marshal(b.message)
}

func (b *box[T, P]) Unmarshal(in []byte) error {
	m := P(new(T))
	if err := proto.Unmarshal(in, m); err != nil {
		return err
	}
	b.message = m
	return nil
}

func (b *box[T, P]) GetFirstArgument() any { return b.message }

func (b *box[T, P]) GetSuccess() P { return b.message }

func (b *box[T, P]) GetResult() any { return b.message }

func (b *box[T, P]) SetSuccess(m any) { b.message = m.(P) }
