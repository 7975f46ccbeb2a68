package kitex

import (
	"context"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/pkg/streaming"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// service describes the service over one set of generated messages.
type service[E, Q, R any] struct {
	kind native.Kind[E, Q, R]
	info func() *serviceinfo.ServiceInfo
	// echo and message make calls as a generated client does. Generated clients
	// are not used because they cannot be closed.
	echo    func(ctx context.Context, c kitexclient.Client, method string, m *E) (*E, error)
	message func(ctx context.Context, c kitexclient.Client, m *Q) (*R, error)
}

// describe returns the description of the service with its stream.
func (s service[E, Q, R]) describe() *serviceinfo.ServiceInfo {
	info := s.info()
	info.Methods[methodStream] = streamMethod()
	return info
}

// methods makes replies as the handlers of other frameworks do.
type methods[E, Q, R any] struct{ kind native.Kind[E, Q, R] }

// Echo sends a message back.
func (h *methods[E, Q, R]) Echo(_ context.Context, m *E) (*E, error) { return h.kind.HandleEcho(m) }

// Message sets two fields of a message and sends it back.
func (h *methods[E, Q, R]) Message(_ context.Context, m *Q) (*R, error) {
	return h.kind.HandleMessage(m)
}

// echoOf returns what a generated message holds. The message may be nil.
func echoOf(m interface {
	GetAction() string
	GetMsg() []byte
},
) framework.EchoMessage {
	return framework.EchoMessage{Action: m.GetAction(), Msg: m.GetMsg()}
}

// call calls a method and returns the reply that kitex leaves in result.
func call[M any](ctx context.Context, c kitexclient.Client, method string, args any, result interface{ GetSuccess() M }) (M, error) {
	if err := c.Call(ctx, method, args, result); err != nil {
		var none M
		return none, err
	}
	return result.GetSuccess(), nil
}

// methodStream is the service's method with a bidirectional stream. The IDL does not
// have it, because the client that kitex generates for a service with a stream makes
// all its calls by gRPC. It is added to the generated methods by hand, and does not
// change them. Streams then use the connections of the calls where kitex can share
// them.
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

// Stream answers the messages of a stream until the client's last message.
func (h *methods[E, Q, R]) Stream(ctx context.Context, s streaming.ServerStream) error {
	recv := func() (*E, error) {
		m := new(E)
		return m, s.RecvMsg(ctx, m)
	}
	send := func(m *E) error { return s.SendMsg(ctx, m) }
	return h.kind.HandleStream(recv, send)
}
