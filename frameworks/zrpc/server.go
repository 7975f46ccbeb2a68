package zrpc

import (
	"context"
	"fmt"

	"github.com/zeromicro/go-zero/core/prometheus"
	"github.com/zeromicro/go-zero/zrpc"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/zrpc/internal/pb"
)

// server is a running server of zRPC.
type server struct {
	grpc *grpc.Server
	addr string
}

// serve chooses the port, because go-zero does not report the one it got.
func serve(addr string, with setup) (framework.Server, error) {
	quiet()
	if with.counts {
		prometheus.Enable()
	}
	return address.ServeOnFree(addr, func(free string) (framework.Server, error) { return serveAt(free, with) })
}

// serveAt starts a server, which is listening when it registers its services.
func serveAt(addr string, with setup) (framework.Server, error) {
	c, err := with.ofServer(addr)
	if err != nil {
		return nil, err
	}
	listening := make(chan *grpc.Server, 1)
	z, err := zrpc.NewServer(c, func(g *grpc.Server) {
		register(g)
		listening <- g
	})
	if err != nil {
		return nil, err
	}
	z.AddOptions(grpc.MaxRecvMsgSize(maxEncoded), grpc.MaxSendMsgSize(maxEncoded))
	failed := make(chan error, 1)
	go start(z, failed)
	select {
	case g := <-listening:
		return &server{g, addr}, nil
	case err := <-failed:
		return nil, err
	}
}

// start returns when the process ends. go-zero panics if it cannot listen.
func start(z *zrpc.RpcServer, failed chan<- error) {
	defer func() {
		if r := recover(); r != nil {
			failed <- fmt.Errorf("zrpc: %v", r)
		}
	}()
	z.Start()
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	s.grpc.Stop()
	return nil
}

// service has the handlers.
type service struct {
	pb.UnsafeBencherServer
	pb.UnsafeStreamerServer
}

func register(g *grpc.Server) {
	pb.RegisterBencherServer(g, service{})
	pb.RegisterStreamerServer(g, service{})
}

// Echo sends the request back.
func (service) Echo(_ context.Context, req *pb.EchoMessage) (*pb.EchoMessage, error) {
	msg, err := handler.Echo(req.GetAction(), req.GetMsg())
	if err != nil {
		return nil, err
	}
	return &pb.EchoMessage{Action: req.GetAction(), Msg: msg}, nil
}

// Message answers with the request itself.
func (service) Message(_ context.Context, req *pb.BenchMessage) (*pb.BenchMessage, error) {
	req.Field1, req.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	count.Call()
	return req, nil
}
