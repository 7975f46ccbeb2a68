// Package drpc adapts storj.io/drpc with protobuf messages.
package drpc

import (
	"context"

	"storj.io/drpc/drpcmanager"
	"storj.io/drpc/drpcmux"
	"storj.io/drpc/drpcserver"
	"storj.io/drpc/drpcwire"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes: drpc's own limit, 4 MiB for
// what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// limits applies to both sides. It leaves room for what the encoding adds to a payload.
var limits = drpcmanager.Options{
	Reader: drpcwire.ReaderOptions{MaximumBufferSize: MaxMessage + 64<<10},
}

// Variants lists drpc over TCP. A connection carries one call at a time.
func Variants() []framework.Variant {
	recommended := variant(framework.Stack{})
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{recommended}
}

// layers describes the layers of the variant.
func layers() *framework.Layers {
	const secured = "drpcserver's Serve on a listener of crypto/tls, and drpcconn on connections of crypto/tls: drpc takes any transport"
	return &framework.Layers{
		Has:  map[framework.Layer]string{framework.TLS13: secured, framework.MTLS: secured},
		With: variant,
	}
}

// variant returns drpc with these layers on both sides.
func variant(s framework.Stack) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "drpc", Transport: "tcp", Codec: "protobuf"},
		About:       "the client uses drpc's own drpcpool; the service is written by hand, as drpc's generator would write it",
		Modules:     []string{"storj.io/drpc", "google.golang.org/protobuf"},
		Abilities:   framework.Abilities{Streams: true},
		Connections: framework.Connections{Unix: true, Sharing: framework.Pooled},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     framework.Says("unknown rpc: "),
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}

// server is a running drpc server.
type server struct {
	addr string
	stop context.CancelFunc
	done chan error // receives what Serve returned
}

func serve(addr string, layers framework.Stack) (framework.Server, error) {
	mux := drpcmux.New()
	if err := mux.Register(service{}, description{}); err != nil {
		return nil, err
	}
	l, err := conns.ListenTLS(layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &server{l.Addr().String(), stop, make(chan error, 1)}
	d := drpcserver.NewWithOptions(mux, drpcserver.Options{Manager: limits})
	go func() { s.done <- d.Serve(ctx, l) }()
	return s, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	s.stop()
	return <-s.done
}

// service is what a user of drpc writes.
type service struct{}

func (service) echo(_ context.Context, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
	return protobuf.Kind.HandleEcho(req)
}

func (service) message(_ context.Context, req *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
	return protobuf.Kind.HandleMessage(req)
}

func (service) stream(s messages) error { return protobuf.Kind.HandleStream(s.recv, s.send) }
