package kitex

import (
	"context"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/rpcbench/rpcbench/codecs/protobuf"
	prutal "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench"
	prutalbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench/bencher"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	thriftbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench/bencher"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// codec is one set of generated messages and the service over them. E and B
// are pointers to its echo and bench messages.
type codec[E echoMessage, B benchMessage] struct {
	name   string
	module string // that marshals
	info   func() *serviceinfo.ServiceInfo

	newEcho  func(suite.EchoMessage) E
	newBench func() B
	// answer sets the two fields of a bench message that a server sets.
	answer func(B)
	// echo and message call as a generated client does. The generated ones
	// cannot be closed.
	echo    func(context.Context, client.Client, E) (E, error)
	message func(context.Context, client.Client, B) (B, error)
}

type echoMessage interface {
	GetAction() string
	GetMsg() []byte
}

type benchMessage interface {
	GetField1() string
	GetField2() int32
}

// call calls a method and returns the reply that kitex leaves in result.
func call[M any](ctx context.Context, c client.Client, method string, args any, result interface{ GetSuccess() M }) (M, error) {
	if err := c.Call(ctx, method, args, result); err != nil {
		var none M
		return none, err
	}
	return result.GetSuccess(), nil
}

var thriftCodec = codec[*thrift.EchoMessage, *thrift.BenchMessage]{
	name:   "thrift",
	module: "github.com/cloudwego/gopkg",
	info:   thriftbencher.NewServiceInfo,
	newEcho: func(m suite.EchoMessage) *thrift.EchoMessage {
		return &thrift.EchoMessage{Action: m.Action, Msg: m.Msg}
	},
	newBench: thrift.NewBenchMessage,
	answer: func(m *thrift.BenchMessage) {
		m.Field1, m.Field2 = suite.AnswerField1, suite.AnswerField2
	},
	echo: func(ctx context.Context, c client.Client, m *thrift.EchoMessage) (*thrift.EchoMessage, error) {
		return call(ctx, c, "Echo", &thrift.BencherEchoArgs{Request: m}, &thrift.BencherEchoResult{})
	},
	message: func(ctx context.Context, c client.Client, m *thrift.BenchMessage) (*thrift.BenchMessage, error) {
		return call(ctx, c, "Message", &thrift.BencherMessageArgs{Request: m}, &thrift.BencherMessageResult{})
	},
}

// prutalCodec is what kitex's generator makes of a .proto file.
var prutalCodec = codec[*prutal.EchoMessage, *prutal.BenchMessage]{
	name:   "prutal",
	module: "github.com/cloudwego/prutal",
	info:   prutalbencher.NewServiceInfo,
	newEcho: func(m suite.EchoMessage) *prutal.EchoMessage {
		return &prutal.EchoMessage{Action: m.Action, Msg: m.Msg}
	},
	newBench: func() *prutal.BenchMessage { return new(prutal.BenchMessage) },
	answer: func(m *prutal.BenchMessage) {
		m.Field1, m.Field2 = new(suite.AnswerField1), new(int32(suite.AnswerField2))
	},
	echo: func(ctx context.Context, c client.Client, m *prutal.EchoMessage) (*prutal.EchoMessage, error) {
		return call(ctx, c, "Echo", &prutalbencher.EchoArgs{Req: m}, &prutalbencher.EchoResult{})
	},
	message: func(ctx context.Context, c client.Client, m *prutal.BenchMessage) (*prutal.BenchMessage, error) {
		return call(ctx, c, "Message", &prutalbencher.MessageArgs{Req: m}, &prutalbencher.MessageResult{})
	},
}

// protobufCodec is protobuf-go over the messages that other frameworks use too.
var protobufCodec = codec[*protobuf.EchoMessage, *protobuf.BenchMessage]{
	name:   "protobuf",
	module: "google.golang.org/protobuf",
	info:   protobufService,
	newEcho: func(m suite.EchoMessage) *protobuf.EchoMessage {
		return &protobuf.EchoMessage{Action: m.Action, Msg: m.Msg}
	},
	newBench: func() *protobuf.BenchMessage { return new(protobuf.BenchMessage) },
	answer: func(m *protobuf.BenchMessage) {
		m.Field1, m.Field2 = new(suite.AnswerField1), new(int32(suite.AnswerField2))
	},
	echo: func(ctx context.Context, c client.Client, m *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		return call(ctx, c, "Echo", newBox(m), newBox[protobuf.EchoMessage](nil))
	},
	message: func(ctx context.Context, c client.Client, m *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
		return call(ctx, c, "Message", newBox(m), newBox[protobuf.BenchMessage](nil))
	},
}
