package server

import (
	"context"
	"net"
	"sync"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
)

// serveGRPC answers calls of the health service until l is closed.
func serveGRPC(l net.Listener, calls *ledger) error {
	conns := &conns{Listener: l}
	s := grpc.NewServer(grpc.InTapHandle(calls.tap))
	grpc_health_v1.RegisterHealthServer(s, &health{calls: calls, conns: conns})
	reflection.Register(s)
	return s.Serve(conns)
}

// arrivedKey is of the arrived in the context of a call.
type arrivedKey struct{}

// tap takes calls in the order in which they arrive on a connection. Their handlers, each in
// a goroutine of its own, may begin in another order.
func (l *ledger) tap(ctx context.Context, call *tap.Info) (context.Context, error) {
	if call.FullMethodName != grpc_health_v1.Health_Check_FullMethodName {
		return ctx, nil
	}
	return context.WithValue(ctx, arrivedKey{}, l.arrive()), nil
}

// health is the health service with planted answers.
type health struct {
	grpc_health_v1.UnimplementedHealthServer
	calls *ledger
	conns *conns
}

func (h *health) Check(ctx context.Context, _ *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	reply := &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}
	switch h.calls.end(ctx, ctx.Value(arrivedKey{}).(arrived)) {
	case planted.OtherBody:
		reply.Status = grpc_health_v1.HealthCheckResponse_NOT_SERVING
	case planted.Failure:
		return nil, status.Error(codes.Internal, "as planted")
	case planted.Drop:
		h.conns.close(ctx)
		return nil, status.Error(codes.Aborted, "nobody gets this")
	}
	return reply, nil
}

// conns is a listener that knows its connections.
type conns struct {
	net.Listener
	all sync.Map // by the text of the remote address
}

// Accept implements net.Listener.
func (c *conns) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.all.Store(conn.RemoteAddr().String(), conn)
	}
	return conn, err
}

// close closes the connection of a call, with all calls on it.
func (c *conns) close(ctx context.Context) {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return
	}
	if conn, ok := c.all.LoadAndDelete(p.Addr.String()); ok {
		conn.(net.Conn).Close()
	}
}
