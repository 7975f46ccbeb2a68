package frozen

import (
	"context"

	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/kitex/frozen/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Names of the methods. Clients know the unknown one, and servers do not, because kitex
// sends only calls of methods that the client knows.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// service describes the service, as generated code of that time does. The generator of that
// time makes messages of that time.
func service() *serviceinfo.ServiceInfo {
	return &serviceinfo.ServiceInfo{
		ServiceName: "Bencher",
		HandlerType: (*bencher)(nil),
		Methods: map[string]serviceinfo.MethodInfo{
			methodEcho:    unary((*bencher).Echo),
			methodMessage: unary((*bencher).Message),
		},
		PayloadCodec: serviceinfo.Protobuf,
		Extra:        map[string]any{"PackageName": "rpcbench"},
	}
}

func unary[T any, P native[T]](method func(*bencher, P) (P, error)) serviceinfo.MethodInfo {
	handle := func(_ context.Context, h, args, result any) error {
		reply, err := method(h.(*bencher), args.(*box[T, P]).message)
		result.(*box[T, P]).message = reply
		return err
	}
	empty := func() any { return newBox[T, P](nil) }
	return serviceinfo.NewMethodInfo(handle, empty, empty, false)
}

// bencher makes replies as the handlers of other frameworks do.
type bencher struct{}

// Echo sends a message back.
func (*bencher) Echo(req *pb.EchoMessage) (*pb.EchoMessage, error) {
	msg, err := handler.Echo(req.GetAction(), req.GetMsg())
	if err != nil {
		return nil, err
	}
	return &pb.EchoMessage{Action: req.GetAction(), Msg: msg}, nil
}

// Message answers with the request itself.
func (*bencher) Message(req *pb.BenchMessage) (*pb.BenchMessage, error) {
	req.Field1, req.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	count.Call()
	return req, nil
}

// native is a pointer to a generated message.
type native[T any] interface {
	*T
	proto.Message
}

// box holds the request or the reply of a call in the form that kitex's codec requires.
type box[T any, P native[T]] struct{ message P }

func newBox[T any, P native[T]](m P) *box[T, P] { return &box[T, P]{m} }

// Marshal is called by kitex's codec.
func (b *box[T, P]) Marshal(out []byte) ([]byte, error) {
	if b.message == nil {
		return out, nil
	}
	return proto.Marshal(b.message)
}

// Unmarshal is called by kitex's codec.
func (b *box[T, P]) Unmarshal(in []byte) error {
	m := P(new(T))
	if err := proto.Unmarshal(in, m); err != nil {
		return err
	}
	b.message = m
	return nil
}
