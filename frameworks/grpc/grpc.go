// Package grpc adapts gRPC with protobuf messages.
package grpc

import (
	"context"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/grpc/internal/bencher"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// MaxMessage is the largest echo payload in bytes: gRPC's own limit, 4 MiB for
// what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// maxEncoded leaves room for what the encoding adds to a payload.
const maxEncoded = MaxMessage + 64<<10

// Variants lists gRPC over HTTP/2, the one transport it has.
func Variants() []suite.Variant {
	return []suite.Variant{{
		Framework: "grpc", Transport: "h2", Codec: "protobuf",
		Recommended: true, MaxMessage: MaxMessage,
		Modules: []string{"google.golang.org/grpc", "google.golang.org/protobuf"},
		Serve:   serve,
		Dial:    dial,
	}}
}

// server is a running gRPC server.
type server struct {
	grpc *grpc.Server
	addr string
}

func serve(addr string) (suite.Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := grpc.NewServer(grpc.MaxRecvMsgSize(maxEncoded), grpc.MaxSendMsgSize(maxEncoded))
	bencher.RegisterBencherServer(s, service{})
	go s.Serve(l) // its error says that the server was stopped
	return &server{s, l.Addr().String()}, nil
}

// Addr implements suite.Server.
func (s *server) Addr() string { return s.addr }

// Close implements suite.Server.
func (s *server) Close() error {
	s.grpc.Stop()
	return nil
}

type service struct {
	bencher.UnimplementedBencherServer
}

// Echo implements bencher.BencherServer.
func (service) Echo(_ context.Context, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
	if err := suite.HandleEcho(req.Action); err != nil {
		return nil, err
	}
	return &protobuf.EchoMessage{Action: req.Action, Msg: req.Msg}, nil
}

// Message implements bencher.BencherServer.
func (service) Message(_ context.Context, req *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
	req.Field1, req.Field2 = proto.String(suite.AnswerField1), proto.Int32(suite.AnswerField2)
	return req, nil
}
