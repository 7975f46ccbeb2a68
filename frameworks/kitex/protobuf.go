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
type bencher[Q, R any] interface {
	Echo(context.Context, *protobuf.EchoMessage) (*protobuf.EchoMessage, error)
	Message(context.Context, *Q) (*R, error)
}

// protobufInfo describes the service over protobuf-go messages, as generated code
// does. It is written by hand, since kitex's generator only makes prutal messages.
func protobufInfo[Q, R any]() *serviceinfo.ServiceInfo {
	return &serviceinfo.ServiceInfo{
		ServiceName: "Bencher",
		HandlerType: (*bencher[Q, R])(nil),
		Methods: map[string]serviceinfo.MethodInfo{
			methodEcho:    unary(bencher[Q, R].Echo),
			methodMessage: unary(bencher[Q, R].Message),
		},
		PayloadCodec: serviceinfo.Protobuf,
		Extra:        map[string]any{serviceinfo.PackageName: "rpcbench"},
	}
}

// unary describes a method. Over kitex's protocols its handler gets boxes, over gRPC a
// stream of one message each way.
func unary[H, Q, R any](method func(H, context.Context, *Q) (*R, error)) serviceinfo.MethodInfo {
	handle := func(ctx context.Context, handler, args, result any) error {
		switch args := args.(type) {
		case *box[Q]:
			reply, err := method(handler.(H), ctx, args.message)
			result.(*box[R]).message = reply
			return err
		case *streaming.Args:
			return overStream(args.Stream, func(request *Q) (*R, error) {
				return method(handler.(H), ctx, request)
			})
		}
		return errors.New("invalid message type for service method handler")
	}
	request, reply := func() any { return newBox[Q](nil) }, func() any { return newBox[R](nil) }
	return serviceinfo.NewMethodInfo(handle, request, reply, false, serviceinfo.WithStreamingMode(serviceinfo.StreamingUnary))
}

// overStream answers the one request of a stream.
func overStream[Q, R any](s streaming.Stream, method func(*Q) (*R, error)) error {
	request := new(Q)
	if err := s.RecvMsg(request); err != nil {
		return err
	}
	reply, err := method(request)
	if err != nil {
		return err
	}
	return s.SendMsg(reply)
}

// box holds the request or the reply of a call in the form that kitex's codec requires.
type box[M any] struct{ message *M }

func newBox[M any](m *M) *box[M] { return &box[M]{m} }

func (b *box[M]) Marshal(out []byte) ([]byte, error) {
	if b.message == nil {
		return out, nil
	}
	return proto.Marshal(any(b.message).(proto.Message))
}

func (b *box[M]) Unmarshal(in []byte) error {
	m := new(M)
	if err := proto.Unmarshal(in, any(m).(proto.Message)); err != nil {
		return err
	}
	b.message = m
	return nil
}

func (b *box[M]) GetFirstArgument() any { return b.message }

func (b *box[M]) GetSuccess() *M { return b.message }

func (b *box[M]) GetResult() any { return b.message }

func (b *box[M]) SetSuccess(m any) { b.message = m.(*M) }
