package brpc

import (
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/rpc"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func serve(addr string, window int) (framework.Server, error) {
	s, err := rpc.Serve(addr, window,
		rpc.Service{Name: bencher, Methods: []rpc.Method{
			{Name: methodEcho.Name, Unary: echo},
			{Name: methodMessage.Name, Unary: message},
		}},
		rpc.Service{Name: streamer, Methods: []rpc.Method{{Name: methodStream.Name, Stream: handleStream}}},
	)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// echo sends the message and the attachment back.
func echo(in *rpc.Incoming) (proto.Message, []byte, error) {
	req := new(protobuf.EchoMessage)
	if err := in.Decode(req); err != nil {
		return nil, nil, err
	}
	answer, err := protobuf.Kind.HandleEcho(req)
	return answer, in.Attachment, err
}

func message(in *rpc.Incoming) (proto.Message, []byte, error) {
	req := new(protobuf.BenchMessage)
	if err := in.Decode(req); err != nil {
		return nil, nil, err
	}
	answer, err := protobuf.Kind.HandleMessage(req)
	return answer, nil, err
}
