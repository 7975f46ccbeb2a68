package arpc

import (
	"net"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// netServer is a running server on the standard library's network.
type netServer struct {
	listener net.Listener
	ended    chan struct{} // closed when its connections are closed
}

func serveNet(addr string, s setup, k kind) (framework.Server, error) {
	l, err := conns.ListenTLS(s.layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	server := arpc.NewServer()
	server.Codec = k.codec
	stop := s.setUpServer(server.Handler, k)
	n := &netServer{l, make(chan struct{})}
	go func() {
		defer close(n.ended)
		defer stop()
		server.Serve(l) // returns an error when the listener is closed
	}()
	return n, nil
}

// Addr implements framework.Server.
func (s *netServer) Addr() string { return s.listener.Addr().String() }

// Close implements framework.Server. It closes the listener; the arpc server then ends
// and closes its connections.
func (s *netServer) Close() error {
	err := s.listener.Close()
	<-s.ended
	return err
}

func route[E, Q, R any](h arpc.Handler, k native.Kind[E, Q, R]) {
	h.Handle(methodEcho, handlerOf(k.HandleEcho))
	h.Handle(methodMessage, handlerOf(k.HandleMessage))
	h.HandleStream(methodStream, func(s *arpc.Stream) { handleStream(s, k) })
}

func handlerOf[Q, R any](handle func(*Q) (*R, error)) arpc.HandlerFunc {
	return func(ctx *arpc.Context) {
		req := new(Q)
		if err := ctx.Bind(req); err != nil {
			ctx.Error(err)
			return
		}
		reply, err := handle(req)
		if err != nil {
			ctx.Error(err)
			return
		}
		ctx.Write(reply)
	}
}

// routeRaw answers with the bytes of the request, which Write copies at once.
func routeRaw(h arpc.Handler) {
	h.Handle(rawMethods.Echo, func(ctx *arpc.Context) {
		count.Call()
		ctx.Write(ctx.Body())
	})
	h.Handle(rawMethods.Fail, func(ctx *arpc.Context) {
		_, err := handler.Echo(handler.ActionFail, nil)
		ctx.Error(err)
	})
}
