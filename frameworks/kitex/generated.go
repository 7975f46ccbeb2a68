package kitex

import (
	"context"

	kitexclient "github.com/cloudwego/kitex/client"
	kitexthrift "github.com/cloudwego/kitex/pkg/remote/codec/thrift"
	"github.com/cloudwego/kitex/server"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	prutal "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench"
	prutalbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench/bencher"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	thriftbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench/bencher"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// thrifts are the messages that kitex generates from a .thrift file.
var thrifts = native.Kind[thrift.EchoMessage, thrift.BenchMessage, thrift.BenchMessage]{
	Set: func(e *thrift.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *thrift.EchoMessage) framework.EchoMessage { return echoOf(e) },
	Method: native.Bench(
		func(b *thrift.BenchMessage) { b.Field1, b.Field2 = message.AnswerField1, message.AnswerField2 },
		func(b *thrift.BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() }, nil,
	),
}

var thriftKind = service[thrift.EchoMessage, thrift.BenchMessage, thrift.BenchMessage]{
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
var prutals = native.Kind[prutal.EchoMessage, prutal.BenchMessage, prutal.BenchMessage]{
	Set: func(e *prutal.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *prutal.EchoMessage) framework.EchoMessage { return echoOf(e) },
	Method: native.Bench(
		func(b *prutal.BenchMessage) {
			b.Field1, b.Field2 = new(message.AnswerField1), new(int32(message.AnswerField2))
		},
		func(b *prutal.BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() }, nil,
	),
}

var prutalKind = service[prutal.EchoMessage, prutal.BenchMessage, prutal.BenchMessage]{
	kind: prutals,
	info: prutalbencher.NewServiceInfo,
	echo: func(ctx context.Context, c kitexclient.Client, method string, m *prutal.EchoMessage) (*prutal.EchoMessage, error) {
		return call(ctx, c, method, &prutalbencher.EchoArgs{Req: m}, &prutalbencher.EchoResult{})
	},
	message: func(ctx context.Context, c kitexclient.Client, m *prutal.BenchMessage) (*prutal.BenchMessage, error) {
		return call(ctx, c, methodMessage, &prutalbencher.MessageArgs{Req: m}, &prutalbencher.MessageResult{})
	},
}.with(kind{name: "prutal", about: "messages that kitex generates from a .proto file, marshalled by prutal", module: "github.com/cloudwego/prutal"})

var protobufKind = protobufService(protobuf.Kind)

// protobufService has messages of protobuf-go.
func protobufService[Q, R any](messages native.Kind[protobuf.EchoMessage, Q, R]) kind {
	return service[protobuf.EchoMessage, Q, R]{
		kind: messages,
		info: protobufInfo[Q, R],
		echo: func(ctx context.Context, c kitexclient.Client, method string, m *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
			return call(ctx, c, method, newBox(m), newBox[protobuf.EchoMessage](nil))
		},
		message: func(ctx context.Context, c kitexclient.Client, m *Q) (*R, error) {
			return call(ctx, c, methodMessage, newBox(m), newBox[R](nil))
		},
	}.with(kind{name: "protobuf", about: "protobuf-go over the messages that the other frameworks use", module: "google.golang.org/protobuf"})
}
