package frozen

import (
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/trans/netpoll"
	"github.com/cloudwego/kitex/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// exitWait is how long a server that stops waits for calls under way, as in today's adapter.
const exitWait = 200 * time.Millisecond

// running is a running server.
type running struct {
	kitex server.Server
	addr  string
	done  chan error // receives what Run returned
}

func serve(addr string, s setup) (framework.Server, error) {
	quiet()
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	listening := make(chan net.Addr, 1)
	svr := server.NewServer(append(slices.Clone(s.server),
		server.WithServiceAddr(tcp),
		server.WithTransServerFactory(factory{netpoll.NewTransServerFactory(), listening}))...)
	if err := svr.RegisterService(service(), new(bencher)); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- svr.Run() }()
	select {
	case at := <-listening:
		return &running{svr, at.String(), done}, nil
	case err := <-done:
		return nil, fmt.Errorf("kitex: no server at %s: %w", addr, err)
	}
}

// Addr implements framework.Server.
func (r *running) Addr() string { return r.addr }

// Close implements framework.Server.
func (r *running) Close() error {
	if err := r.kitex.Stop(); err != nil {
		return err
	}
	return <-r.done
}

// factory makes kitex's own servers, and says where they listen: old releases take an
// address and no listener.
type factory struct {
	remote.TransServerFactory
	listening chan<- net.Addr
}

// NewTransServer implements remote.TransServerFactory. It sets the time to exit, since the
// option for that, WithExitWaitTime, limits how long connections are idle in v0.0.3.
func (f factory) NewTransServer(o *remote.ServerOption, h remote.ServerTransHandler) remote.TransServer {
	o.ExitWaitTime = exitWait
	return transServer{f.TransServerFactory.NewTransServer(o, h), f.listening}
}

type transServer struct {
	remote.TransServer
	listening chan<- net.Addr
}

// CreateListener implements remote.TransServer.
func (t transServer) CreateListener(addr net.Addr) (net.Listener, error) {
	l, err := t.TransServer.CreateListener(addr)
	if err == nil {
		t.listening <- l.Addr()
	}
	return l, err
}

// quiet turns off the log of kitex, which reports each error of a handler.
var quiet = sync.OnceFunc(func() { klog.SetOutput(io.Discard) })
