package kitex

import (
	"context"

	kitexclient "github.com/cloudwego/kitex/client"
	kitexthrift "github.com/cloudwego/kitex/pkg/remote/codec/thrift"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/server"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	prutal "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench"
	prutalbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench/bencher"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	thriftbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench/bencher"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// thrifts are the messages that kitex generates from a .thrift file.
var thrifts = native.Kind[thrift.EchoMessage, thrift.BenchMessage]{
	Set:      func(e *thrift.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get:      func(e *thrift.EchoMessage) framework.EchoMessage { return echoOf(e) },
	Answer:   func(b *thrift.BenchMessage) { b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2 },
	Answered: func(b *thrift.BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() },
}

var thriftKind = service[thrift.EchoMessage, thrift.BenchMessage]{
	kind: thrifts,
	info: thriftbencher.NewServiceInfo,
	echo: func(ctx context.Context, c kitexclient.Client, method string, m *thrift.EchoMessage) (*thrift.EchoMessage, error) {
		return call(ctx, c, method, &thrift.BencherEchoArgs{Request: m}, &thrift.BencherEchoResult{})
	},
	message: func(ctx context.Context, c kitexclient.Client, m *thrift.BenchMessage) (*thrift.BenchMessage, error) {
		return call(ctx, c, methodMessage, &thrift.BencherMessageArgs{Request: m}, &thrift.BencherMessageResult{})
	},
}.with(kind{name: "thrift", about: "FastCodec, the code that kitex generates from a .thrift file"})

// thriftTuned is what kitex's documentation says to outperform FastCodec in
// most scenarios:
// https://www.cloudwego.io/docs/kitex/tutorials/advanced-feature/codec_frugal/
var thriftTuned = frugal(thriftKind)

func frugal(k kind) kind {
	payloads := kitexthrift.NewThriftCodecWithConfig(kitexthrift.FrugalReadWrite)
	connect := k.connect
	k.profile, k.module = "tuned", "github.com/cloudwego/frugal"
	k.about = "frugal, which kitex's documentation advises for speed: reflection over the generated messages"
	k.server = []server.Option{server.WithPayloadCodec(payloads)}
	k.connect = func(options []kitexclient.Option) (framework.MessageClient, error) {
		return connect(append(options, kitexclient.WithPayloadCodec(payloads)))
	}
	return k
}

// prutals are the messages that kitex generates from a .proto file.
var prutals = native.Kind[prutal.EchoMessage, prutal.BenchMessage]{
	Set: func(e *prutal.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *prutal.EchoMessage) framework.EchoMessage { return echoOf(e) },
	Answer: func(b *prutal.BenchMessage) {
		b.Field1, b.Field2 = new(framework.AnswerField1), new(int32(framework.AnswerField2))
	},
	Answered: func(b *prutal.BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() },
}

var prutalKind = service[prutal.EchoMessage, prutal.BenchMessage]{
	kind: prutals,
	info: prutalbencher.NewServiceInfo,
	echo: func(ctx context.Context, c kitexclient.Client, method string, m *prutal.EchoMessage) (*prutal.EchoMessage, error) {
		return call(ctx, c, method, &prutalbencher.EchoArgs{Req: m}, &prutalbencher.EchoResult{})
	},
	message: func(ctx context.Context, c kitexclient.Client, m *prutal.BenchMessage) (*prutal.BenchMessage, error) {
		return call(ctx, c, methodMessage, &prutalbencher.MessageArgs{Req: m}, &prutalbencher.MessageResult{})
	},
}.with(kind{name: "prutal", about: "messages that kitex generates from a .proto file, marshalled by prutal", module: "github.com/cloudwego/prutal"})

var protobufKind = service[protobuf.EchoMessage, protobuf.BenchMessage]{
	kind: protobuf.Kind,
	info: protobufService,
	echo: func(ctx context.Context, c kitexclient.Client, method string, m *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		return call(ctx, c, method, newBox(m), newBox[protobuf.EchoMessage](nil))
	},
	message: func(ctx context.Context, c kitexclient.Client, m *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
		return call(ctx, c, methodMessage, newBox(m), newBox[protobuf.BenchMessage](nil))
	},
}.with(kind{name: "protobuf", about: "protobuf-go over the messages that the other frameworks use", module: "google.golang.org/protobuf"})

// service describes the service over one set of generated messages.
type service[E, B any] struct {
	kind native.Kind[E, B]
	info func() *serviceinfo.ServiceInfo
	// echo and message make calls as a generated client does. Generated clients
	// are not used because they cannot be closed.
	echo    func(ctx context.Context, c kitexclient.Client, method string, m *E) (*E, error)
	message func(ctx context.Context, c kitexclient.Client, m *B) (*B, error)
}

// with completes k with the fields that describe the service.
func (s service[E, B]) with(k kind) kind {
	k.register = func(svr server.Server) error {
		return svr.RegisterService(s.describe(), &handler[E, B]{s.kind})
	}
	k.connect = func(options []kitexclient.Option) (framework.MessageClient, error) {
		info := s.describe()
		info.Methods[methodUnknown] = info.Methods[methodEcho]
		c, err := kitexclient.NewClient(info, options...)
		return &client[E, B]{s, c}, err
	}
	return k
}

// describe returns the description of the service with its stream.
func (s service[E, B]) describe() *serviceinfo.ServiceInfo {
	info := s.info()
	info.Methods[methodStream] = streamMethod()
	return info
}

// handler makes replies as the handlers of other frameworks do.
type handler[E, B any] struct{ kind native.Kind[E, B] }

// Echo sends a message back.
func (h *handler[E, B]) Echo(_ context.Context, m *E) (*E, error) { return h.kind.HandleEcho(m) }

// Message sets two fields of a message and sends it back.
func (h *handler[E, B]) Message(_ context.Context, m *B) (*B, error) { return h.kind.HandleMessage(m) }

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
