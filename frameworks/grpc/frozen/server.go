package frozen

import (
	"context"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/grpc/frozen/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Full names of the methods.
const (
	service       = "rpcbench.Bencher"
	methodEcho    = "/" + service + "/Echo"
	methodMessage = "/" + service + "/Message"
	methodUnknown = "/" + service + "/Unknown"
)

// server is a running gRPC server.
type server struct {
	grpc *grpc.Server
	addr string
}

func serve(addr string) (framework.Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	g := grpc.NewServer(grpc.MaxRecvMsgSize(maxEncoded), grpc.MaxSendMsgSize(maxEncoded))
	g.RegisterService(&grpc.ServiceDesc{
		ServiceName: service, Methods: []grpc.MethodDesc{unary("Echo", handleEcho), unary("Message", handleMessage)},
	}, nil)
	go g.Serve(l) // returns an error when the server is stopped
	return &server{g, l.Addr().String()}, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	s.grpc.Stop()
	return nil
}

// unary describes a method as generated code does. Generated code of today needs gRPC
// v1.64, and that of 2021 is not made by today's generator.
func unary[M any](name string, handle func(*M) (*M, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		req := new(M)
		if err := decode(req); err != nil {
			return nil, err
		}
		return handle(req)
	}}
}

func handleEcho(req *pb.EchoMessage) (*pb.EchoMessage, error) {
	msg, err := handler.Echo(req.GetAction(), req.GetMsg())
	if err != nil {
		return nil, err
	}
	return &pb.EchoMessage{Action: req.GetAction(), Msg: msg}, nil
}

// handleMessage answers with the request itself.
func handleMessage(req *pb.BenchMessage) (*pb.BenchMessage, error) {
	req.Field1, req.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	count.Call()
	return req, nil
}
