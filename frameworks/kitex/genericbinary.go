package kitex

import (
	"context"
	"errors"

	fast "github.com/cloudwego/gopkg/protocol/thrift"
	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/generic"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/server/genericserver"

	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// binaryGeneric passes encoded thrift through.
func binaryGeneric() (generic.Generic, error) { return generic.BinaryThriftGenericV2("Bencher"), nil }

var genericBinary = kind{
	name: "generic-binary",
	about: "generic calls of encoded thrift on both sides; as in kitex-benchmark, client and handler" +
		" call FastMarshal and FastUnmarshal of generated messages in each call",
	register: func(svr server.Server) error {
		return genericserver.RegisterUnknownServiceOrMethodHandler(svr, &genericserver.UnknownServiceOrMethodHandler{DefaultHandler: handleBinary})
	},
	connect: func(options []kitexclient.Option) (framework.MessageClient, error) {
		c, err := connectGeneric(binaryGeneric, options)
		return genericClient{binaryStub{c}}, err
	},
}

// handleBinary is the handler of the service over encoded arguments and results.
func handleBinary(_ context.Context, _, method string, request any) (any, error) {
	switch method {
	case methodEcho:
		var args thrift.BencherEchoArgs
		if err := fast.FastUnmarshal(request.([]byte), &args); err != nil {
			return nil, err
		}
		reply, err := thrifts.HandleEcho(args.Request)
		if err != nil {
			return nil, err
		}
		return fast.FastMarshal(&thrift.BencherEchoResult{Success: reply}), nil
	case methodMessage:
		var args thrift.BencherMessageArgs
		if err := fast.FastUnmarshal(request.([]byte), &args); err != nil {
			return nil, err
		}
		reply, err := thrifts.HandleMessage(args.Request)
		return fast.FastMarshal(&thrift.BencherMessageResult{Success: reply}), err
	}
	return nil, errNoMethod
}

// binaryStub makes calls with encoded thrift.
type binaryStub struct{ genericConn }

func (s binaryStub) echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
	args := &thrift.BencherEchoArgs{Request: thrifts.NewEcho(m)}
	return func(ctx context.Context) (framework.EchoMessage, error) {
		var result thrift.BencherEchoResult
		if err := s.callBinary(ctx, method, args, &result); err != nil {
			return framework.EchoMessage{}, err
		}
		if result.Success == nil {
			return framework.EchoMessage{}, errors.New("the message is missing")
		}
		return thrifts.Get(result.Success), nil
	}
}

func (s binaryStub) message() (messageCall, func(number int64)) {
	args := &thrift.BencherMessageArgs{Request: message.Filled[thrift.BenchMessage](1)[0]}
	number := message.NumberOf(args.Request)
	return func(ctx context.Context) (benchReply, error) {
		var result thrift.BencherMessageResult
		err := s.callBinary(ctx, methodMessage, args, &result)
		return result.GetSuccess(), err
	}, func(n int64) { *number = n }
}

func (s binaryStub) callBinary(ctx context.Context, method string, args, result fast.FastCodec) error {
	reply, err := s.call(ctx, method, fast.FastMarshal(args))
	if err != nil {
		return err
	}
	return fast.FastUnmarshal(reply.([]byte), result)
}
