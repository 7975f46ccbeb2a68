package trpc

import (
	"context"
	"net"
	"sync"

	"google.golang.org/protobuf/proto"
	trpcgo "trpc.group/trpc-go/trpc-go/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/trpc/internal/pb"
)

// server is a running service of tRPC-Go.
type server struct {
	trpc     trpcgo.Service
	listener *listener
}

func serve(addr string, s setup) (framework.Server, error) {
	quiet()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	kept := &listener{Listener: l, conns: map[net.Conn]struct{}{}}
	z := trpcgo.New(trpcgo.WithServiceName(service), trpcgo.WithNetwork("tcp"), trpcgo.WithProtocol("trpc"),
		trpcgo.WithAddress(l.Addr().String()), trpcgo.WithListener(kept.of(s)), trpcgo.WithServerAsync(true), s.ofServer())
	if err := z.Register(s.describe(), handlers{}); err != nil {
		return nil, err
	}
	go z.Serve() // returns when the service is closed
	return &server{z, kept}, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.listener.Addr().String() }

// Close implements framework.Server. tRPC-Go leaves connections open.
func (s *server) Close() error {
	err := s.listener.Close()
	s.listener.drop()
	go s.trpc.Close(nil) // waits for calls under way
	return err
}

// listener keeps the connections that it has accepted.
type listener struct {
	net.Listener
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// of is what the transport listens with: tnet takes the socket of a listener of package net.
func (l *listener) of(s setup) net.Listener {
	if s.gonet {
		return l
	}
	return l.Listener
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k := &kept{c.(*net.TCPConn), l}
	l.conns[k] = struct{}{}
	return k, nil
}

func (l *listener) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.(*kept).TCPConn.Close()
	}
}

type kept struct {
	*net.TCPConn
	of *listener
}

// Close implements net.Conn.
func (k *kept) Close() error {
	k.of.mu.Lock()
	delete(k.of.conns, k)
	k.of.mu.Unlock()
	return k.TCPConn.Close()
}

// bencher is the service's interface.
type bencher interface {
	Echo(context.Context, *pb.EchoMessage) (*pb.EchoMessage, error)
	Message(context.Context, *pb.BenchMessage) (*pb.BenchMessage, error)
}

// description describes the service as generated code does.
var description = trpcgo.ServiceDesc{
	ServiceName: service,
	HandlerType: (*bencher)(nil),
	Methods: []trpcgo.Method{
		{Name: methodEcho, Func: method(bencher.Echo)},
		{Name: methodMessage, Func: method(bencher.Message)},
	},
}

// describe describes the service of a setup.
func (s setup) describe() *trpcgo.ServiceDesc {
	if s.streams {
		return streamed()
	}
	return &description
}

// method describes a method as generated code does.
func method[M any](handle func(bencher, context.Context, *M) (*M, error)) func(any, context.Context, trpcgo.FilterFunc) (any, error) {
	return func(svr any, ctx context.Context, f trpcgo.FilterFunc) (any, error) {
		req := new(M)
		filters, err := f(req)
		if err != nil {
			return nil, err
		}
		return filters.Filter(ctx, req, func(ctx context.Context, req any) (any, error) {
			return handle(svr.(bencher), ctx, req.(*M))
		})
	}
}

// handlers implements bencher.
type handlers struct{}

// Echo sends the request back.
func (handlers) Echo(_ context.Context, req *pb.EchoMessage) (*pb.EchoMessage, error) {
	msg, err := handler.Echo(req.GetAction(), req.GetMsg())
	if err != nil {
		return nil, err
	}
	return &pb.EchoMessage{Action: req.GetAction(), Msg: msg}, nil
}

// Message answers with the request itself.
func (handlers) Message(_ context.Context, req *pb.BenchMessage) (*pb.BenchMessage, error) {
	req.Field1, req.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	count.Call()
	return req, nil
}
