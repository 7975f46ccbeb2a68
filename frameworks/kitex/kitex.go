// Package kitex adapts github.com/cloudwego/kitex: thrift and two serializers
// of protobuf over kitex's own protocols, and protobuf over its gRPC.
package kitex

import (
	"time"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/connpool"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/transport"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// Variants returns kitex's variants. Each kitex protocol is kitex's default
// for its payload: Framed for thrift (the default since v0.13) and
// TTHeaderFramed for protobuf; connections that are shared need the sequence
// numbers of TTHeader, which kitex chooses itself.
func Variants() []suite.Variant {
	recommended := variant(thriftCodec, pool)
	recommended.Recommended = true
	return []suite.Variant{
		recommended,
		variant(thriftCodec, mux),
		variant(prutalCodec, pool),
		variant(prutalCodec, mux),
		variant(protobufCodec, pool),
		variant(protobufCodec, mux),
		variant(protobufCodec, grpc),
	}
}

// wiring is a connection model: what both sides are told to get it.
type wiring struct {
	name    string
	sharing suite.Sharing
	server  []server.Option
	client  func(suite.DialOptions) client.Option
}

// calls is how many calls open all the shared connections: one each, and once
// more around to be sure.
func (w wiring) calls(o suite.DialOptions) int {
	if w.sharing == suite.Pooled {
		return 1
	}
	return 2 * o.Conns
}

var pool = wiring{
	name:    "pool",
	sharing: suite.Pooled,
	client: func(o suite.DialOptions) client.Option {
		return client.WithLongConnection(connpool.IdleConfig{
			MaxIdlePerAddress: o.Callers,
			MaxIdleGlobal:     o.Callers,
			MaxIdleTimeout:    time.Minute, // as in kitex's default pool
		})
	},
}

// Kitex calls mux deprecated and keeps it. It is here since it is kitex's only
// way to share connections short of gRPC.
var mux = wiring{
	name:    "mux",
	sharing: suite.Mux,
	server:  []server.Option{server.WithMuxTransport()},
	client:  func(o suite.DialOptions) client.Option { return client.WithMuxConnection(o.Conns) },
}

var grpc = wiring{
	name:    "grpc",
	sharing: suite.Mux,
	client: func(o suite.DialOptions) client.Option {
		return client.WithSuite(options{
			client.WithTransportProtocol(transport.GRPC),
			client.WithGRPCConnPoolSize(uint32(o.Conns)),
		})
	},
}

// options are client options that go together.
type options []client.Option

// Options implements client.Suite.
func (o options) Options() []client.Option { return o }

func variant[E echoMessage, B benchMessage](c codec[E, B], w wiring) suite.Variant {
	return suite.Variant{
		Framework: "kitex",
		Transport: w.name,
		Codec:     c.name,
		Sharing:   w.sharing,
		Modules:   []string{"github.com/cloudwego/kitex", "github.com/cloudwego/netpoll", c.module},
		Serve:     func(addr string) (suite.Server, error) { return serve(c, w, addr) },
		Dial: func(addr string, o suite.DialOptions) (suite.Client, error) {
			return dial(c, w, addr, o)
		},
	}
}
