// Package ttrpc adapts github.com/containerd/ttrpc with protobuf messages.
package ttrpc

import (
	"context"
	"sync"

	"github.com/containerd/log"
	"github.com/containerd/ttrpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes. ttrpc sends at most 4 MiB for a
// call, which includes names, timeout and lengths.
const MaxMessage = 4<<20 - overhead

// overhead is the most bytes that a request is larger than its payload. The largest
// timeout is a negative one, of a call whose time is over when it begins.
const overhead = 2 + len(serviceName) + 2 + len(methodEcho) + 11 + // service, method, timeout
	5 + 2 + len(framework.ActionEcho) + 5 // message, action, payload

const serviceName = "rpcbench.Bencher"

// Names of the methods.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
	methodStream  = "Stream"
)

// Variants lists ttrpc over TCP, or over the Unix sockets that it was made for.
func Variants() []framework.Variant {
	v := variant(framework.Stack{})
	v.Recommended, v.Layers = true, layers()
	return []framework.Variant{v}
}

func variant(s framework.Stack) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "ttrpc", Transport: "tcp", Codec: "protobuf"},
		About:       "neither side has options, and streams have no windows; the service is written by hand, as ttrpc's generator would write it",
		Modules:     []string{"github.com/containerd/ttrpc", "google.golang.org/protobuf"},
		Abilities:   framework.Abilities{Streams: true},
		Connections: framework.Connections{Unix: true},
		Limits:      framework.Limits{MaxMessage: maxMessage(s)},
		Unknown:     framework.Says("rpc error: code = Unimplemented "), // the text of a gRPC status, which ttrpc has
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}

// server is a running ttrpc server.
type server struct {
	*ttrpc.Server
	addr   string
	cancel context.CancelFunc
}

func serve(addr string, layers framework.Stack) (framework.Server, error) {
	quiet()
	s, err := ttrpc.NewServer(serverLayers(layers)...)
	if err != nil {
		return nil, err
	}
	s.RegisterService(serviceName, &ttrpc.ServiceDesc{
		Methods: map[string]ttrpc.Method{
			methodEcho:    unary(protobuf.Kind.HandleEcho),
			methodMessage: unary(protobuf.Kind.HandleMessage),
		},
		Streams: map[string]ttrpc.Stream{methodStream: {Handler: handleStream, StreamingClient: true, StreamingServer: true}},
	})
	l, err := conns.ListenTLS(layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go s.Serve(ctx, l) // returns an error when the server is closed
	return &server{s, l.Addr().String(), cancel}, nil
}

// Close implements framework.Server. It ends all streams first, because ttrpc leaves
// connections with a stream open.
func (s *server) Close() error {
	s.cancel()
	return s.Server.Close()
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// unary makes a method of a handler, as generated code does.
func unary[M any](handle func(*M) (*M, error)) ttrpc.Method {
	return func(_ context.Context, unmarshal func(any) error) (any, error) {
		req := new(M)
		if err := unmarshal(req); err != nil {
			return nil, err
		}
		return handle(req)
	}
}

// quiet turns off ttrpc's log, which reports broken connections and replies to calls
// that have ended.
var quiet = sync.OnceFunc(func() { log.SetLevel("fatal") })
