package thrift

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
)

// stopTimeout is how long a server that stops waits for its clients to disconnect.
const stopTimeout = 10 * time.Millisecond

// server is a running TSimpleServer: a goroutine for each connection.
type server struct {
	thrift *thrift.TSimpleServer
	addr   string
}

// serve starts a server. It sets options that Thrift has for the whole process: how
// long a server waits when it stops, whether the connections of calls under way are
// watched, and that the log, which reports broken connections, is not written.
func serve(addr string, s setup) (framework.Server, error) {
	slog.SetLogLoggerLevel(slog.LevelError + 1)
	thrift.ServerStopTimeout = stopTimeout
	if s.unchecked {
		thrift.ServerConnectivityCheckInterval = 0
	}
	socket, err := listen(addr, s)
	if err != nil {
		return nil, err
	}
	t := thrift.NewTSimpleServer4(processesThrough(bench.NewBencherProcessor(service{}), s.layers.Chain), socket, s.wrap, s.protocol)
	go t.Serve() // returns an error when the server is stopped
	return &server{t, socket.Addr().String()}, nil
}

// listener is what thrift.TServerSocket and thrift.TSSLServerSocket have in common.
type listener interface {
	thrift.TServerTransport
	Addr() net.Addr
}

// listen listens in the way of the setup.
func listen(addr string, s setup) (l listener, err error) {
	if c := s.layers.ServerTLS(); c != nil {
		l, err = thrift.NewTSSLServerSocket(addr, c)
	} else {
		l, err = unsecured(addr)
	}
	if err != nil {
		return nil, err
	}
	return l, l.Listen()
}

func unsecured(addr string) (listener, error) {
	at, err := resolve(addr)
	if err != nil {
		return nil, err
	}
	return thrift.NewTServerSocketFromAddrTimeout(at, 0), nil
}

// resolve does what thrift.NewTServerSocket does, and for Unix sockets as well.
func resolve(addr string) (net.Addr, error) {
	if network := address.Network(addr); network == "unix" {
		return net.ResolveUnixAddr(network, addr)
	}
	return net.ResolveTCPAddr("tcp", addr)
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error { return s.thrift.Stop() }

// service implements bench.Bencher.
type service struct{}

// Echo implements bench.Bencher.
func (service) Echo(_ context.Context, req *bench.EchoMessage) (*bench.EchoMessage, error) {
	return kind.HandleEcho(req)
}

// Message implements bench.Bencher.
func (service) Message(_ context.Context, req *bench.BenchMessage) (*bench.BenchMessage, error) {
	return kind.HandleMessage(req)
}
