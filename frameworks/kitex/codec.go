package kitex

import (
	"context"

	"github.com/cloudwego/kitex/client"
	kitexthrift "github.com/cloudwego/kitex/pkg/remote/codec/thrift"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/server"
	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	prutal "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench"
	prutalbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench/bencher"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	thriftbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench/bencher"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

var thriftCodec = service[*thrift.EchoMessage, *thrift.BenchMessage]{
	info:     thriftbencher.NewServiceInfo,
	newEcho:  newThriftEcho,
	newBench: thrift.NewBenchMessage,
	answer:   answerThrift,
	echo: func(ctx context.Context, c client.Client, method string, m *thrift.EchoMessage) (*thrift.EchoMessage, error) {
		return call(ctx, c, method, &thrift.BencherEchoArgs{Request: m}, &thrift.BencherEchoResult{})
	},
	message: func(ctx context.Context, c client.Client, m *thrift.BenchMessage) (*thrift.BenchMessage, error) {
		return call(ctx, c, "Message", &thrift.BencherMessageArgs{Request: m}, &thrift.BencherMessageResult{})
	},
}.codec(codec{name: "thrift", about: "FastCodec, the code that kitex generates from a .thrift file"})

// thriftTuned is what kitex's documentation says to outperform FastCodec in
// most scenarios:
// https://www.cloudwego.io/docs/kitex/tutorials/advanced-feature/codec_frugal/
var thriftTuned = frugal(thriftCodec)

func frugal(c codec) codec {
	payloads := kitexthrift.NewThriftCodecWithConfig(kitexthrift.FrugalReadWrite)
	connect := c.connect
	c.profile, c.module = "tuned", "github.com/cloudwego/frugal"
	c.about = "frugal, reflection over the generated messages, as kitex's documentation advises for speed"
	c.server = []server.Option{server.WithPayloadCodec(payloads)}
	c.connect = func(options []client.Option) (stub, error) {
		return connect(append(options, client.WithPayloadCodec(payloads)))
	}
	return c
}

var prutalCodec = service[*prutal.EchoMessage, *prutal.BenchMessage]{
	info: prutalbencher.NewServiceInfo,
	newEcho: func(m framework.EchoMessage) *prutal.EchoMessage {
		return &prutal.EchoMessage{Action: m.Action, Msg: m.Msg}
	},
	newBench: func() *prutal.BenchMessage { return new(prutal.BenchMessage) },
	answer: func(m *prutal.BenchMessage) {
		m.Field1, m.Field2 = new(framework.AnswerField1), new(int32(framework.AnswerField2))
	},
	echo: func(ctx context.Context, c client.Client, method string, m *prutal.EchoMessage) (*prutal.EchoMessage, error) {
		return call(ctx, c, method, &prutalbencher.EchoArgs{Req: m}, &prutalbencher.EchoResult{})
	},
	message: func(ctx context.Context, c client.Client, m *prutal.BenchMessage) (*prutal.BenchMessage, error) {
		return call(ctx, c, "Message", &prutalbencher.MessageArgs{Req: m}, &prutalbencher.MessageResult{})
	},
}.codec(codec{name: "prutal", about: "what kitex generates from a .proto file, marshalled by prutal", module: "github.com/cloudwego/prutal"})

var protobufCodec = service[*protobuf.EchoMessage, *protobuf.BenchMessage]{
	info: protobufService,
	newEcho: func(m framework.EchoMessage) *protobuf.EchoMessage {
		return &protobuf.EchoMessage{Action: m.Action, Msg: m.Msg}
	},
	newBench: func() *protobuf.BenchMessage { return new(protobuf.BenchMessage) },
	answer: func(m *protobuf.BenchMessage) {
		m.Field1, m.Field2 = new(framework.AnswerField1), new(int32(framework.AnswerField2))
	},
	echo: func(ctx context.Context, c client.Client, method string, m *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		return call(ctx, c, method, newBox(m), newBox[protobuf.EchoMessage](nil))
	},
	message: func(ctx context.Context, c client.Client, m *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
		return call(ctx, c, "Message", newBox(m), newBox[protobuf.BenchMessage](nil))
	},
}.codec(codec{name: "protobuf", about: "protobuf-go over the messages that other frameworks use too", module: "google.golang.org/protobuf"})

func newThriftEcho(m framework.EchoMessage) *thrift.EchoMessage {
	return &thrift.EchoMessage{Action: m.Action, Msg: m.Msg}
}

func answerThrift(m *thrift.BenchMessage) {
	m.Field1, m.Field2 = framework.AnswerField1, framework.AnswerField2
}

// service is the service over one set of generated messages. E and B are
// pointers to its echo and bench messages.
type service[E echoMessage, B benchReply] struct {
	info     func() *serviceinfo.ServiceInfo
	newEcho  func(framework.EchoMessage) E
	newBench func() B
	// answer sets the two fields of a bench message that a server sets.
	answer func(B)
	// echo and message call as a generated client does. The generated ones
	// cannot be closed.
	echo    func(ctx context.Context, c client.Client, method string, m E) (E, error)
	message func(ctx context.Context, c client.Client, m B) (B, error)
}

type echoMessage interface {
	GetAction() string
	GetMsg() []byte
}

// codec fills in what c says of the service.
func (s service[E, B]) codec(c codec) codec {
	c.register = func(svr server.Server) error {
		return svr.RegisterService(s.describe(), &handler[E, B]{s.newEcho, s.answer})
	}
	c.connect = func(options []client.Option) (stub, error) {
		info := s.describe()
		info.Methods[unknown] = info.Methods["Echo"]
		cl, err := client.NewClient(info, options...)
		return serviceStub[E, B]{s, cl}, err
	}
	return c
}

// describe is the service with its stream.
func (s service[E, B]) describe() *serviceinfo.ServiceInfo {
	info := s.info()
	info.Methods[methodStream] = streamMethod()
	return info
}

// handler answers the methods with the request itself.
type handler[E echoMessage, B benchReply] struct {
	newEcho func(framework.EchoMessage) E
	answer  func(B)
}

// Echo sends a message back.
func (*handler[E, B]) Echo(_ context.Context, m E) (E, error) {
	return m, framework.HandleEcho(m.GetAction())
}

// Message sets two fields of a message and sends it back.
func (h *handler[E, B]) Message(_ context.Context, m B) (B, error) {
	h.answer(m)
	return m, nil
}

// serviceStub calls a service by generated messages.
type serviceStub[E echoMessage, B benchReply] struct {
	service service[E, B]
	client  client.Client
}

func (s serviceStub[E, B]) echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
	request := s.service.newEcho(m)
	return func(ctx context.Context) (framework.EchoMessage, error) {
		reply, err := s.service.echo(ctx, s.client, method, request)
		if err != nil {
			return framework.EchoMessage{}, err
		}
		return framework.EchoMessage{Action: reply.GetAction(), Msg: reply.GetMsg()}, nil
	}
}

func (s serviceStub[E, B]) message() func(context.Context) (benchReply, error) {
	request := s.service.newBench()
	framework.Fill(request)
	return func(ctx context.Context) (benchReply, error) {
		return s.service.message(ctx, s.client, request)
	}
}

// Close closes the client's connections.
func (s serviceStub[E, B]) Close() error { return closeClient(s.client) }

// call calls a method and returns the reply that kitex leaves in result.
func call[M any](ctx context.Context, c client.Client, method string, args any, result interface{ GetSuccess() M }) (M, error) {
	if err := c.Call(ctx, method, args, result); err != nil {
		var none M
		return none, err
	}
	return result.GetSuccess(), nil
}
