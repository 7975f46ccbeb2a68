package kitex

import (
	"math"
	"time"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/connpool"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/trans/detection"
	"github.com/cloudwego/kitex/pkg/remote/trans/gonet"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2"
	"github.com/cloudwego/kitex/pkg/remote/trans/ttstream"
	"github.com/cloudwego/kitex/pkg/transmeta"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/transport"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is a protocol with a connection model, and the options for them.
type setup struct {
	name    string
	profile string // besides the kind's
	about   string
	rank    framework.Rank
	sharing framework.Sharing
	conns   int // that kitex advises; 0 for as many as others have
	server  []server.Option
	client  func(framework.DialOptions) []kitexclient.Option
	// handlers says where handlers run; "" for gopool.
	handlers string
	// dialer makes connections; nil for kitex's own dialer on this system.
	dialer func() remote.Dialer
	// balances says that a client may call several servers.
	balances bool
	// streams says that the setup has streams.
	streams bool
	layers  layer.Stack
}

var pool = setup{
	name:     "pool",
	about:    "kitex's default protocol (Framed for thrift, TTHeaderFramed for protobuf) over a pool of long connections",
	sharing:  framework.Pooled,
	client:   longConnections,
	balances: true,
}

// poolTTHeader has the options of the ordinary calls with which kitex-benchmark
// compares generic calls.
var poolTTHeader = setup{
	name:    "pool-ttheader",
	about:   "TTHeader, with the meta handlers of both sides, over a pool of long connections",
	sharing: framework.Pooled,
	server:  []server.Option{server.WithMetaHandler(transmeta.ServerTTHeaderHandler)},
	client: func(o framework.DialOptions) []kitexclient.Option {
		return append(longConnections(o),
			kitexclient.WithTransportProtocol(transport.TTHeader),
			kitexclient.WithMetaHandler(transmeta.ClientTTHeaderHandler))
	},
}

var short = setup{
	name:    "short",
	about:   "Framed over a new connection for each call",
	sharing: framework.Short,
	client: func(framework.DialOptions) []kitexclient.Option {
		return []kitexclient.Option{kitexclient.WithShortConnection()}
	},
}

const aboutMux = "TTHeader over shared connections, which need its sequence numbers"

// mux is deprecated by kitex and still available. It is here because it is kitex's only
// way to share connections besides gRPC.
var mux = setup{
	name:    "mux",
	about:   aboutMux,
	rank:    framework.Beside,
	sharing: framework.Mux,
	server:  []server.Option{server.WithMuxTransport()},
	client: func(o framework.DialOptions) []kitexclient.Option {
		return []kitexclient.Option{kitexclient.WithMuxConnection(o.Conns)}
	},
	balances: true,
}

// muxTwo has as many connections as kitex's documentation advises at most:
// https://www.cloudwego.io/docs/kitex/tutorials/basic-feature/connection_type/
var muxTwo = withTwo(mux)

func withTwo(s setup) setup {
	s.profile, s.conns = "two-conns", 2
	s.about += "; as many connections as kitex's documentation finds enough, whatever `-conns` says"
	return s
}

var grpc = setup{
	name:    "grpc",
	about:   "kitex's own gRPC over shared connections",
	sharing: framework.Mux,
	client: func(o framework.DialOptions) []kitexclient.Option {
		return []kitexclient.Option{
			kitexclient.WithTransportProtocol(transport.GRPC),
			kitexclient.WithGRPCConnPoolSize(uint32(o.Conns)),
		}
	},
	balances: true,
	streams:  true,
}

// windowed returns kitex's gRPC with fixed receive windows on both sides.
func windowed(window int) setup {
	s, stream, conn := grpc, uint32(window), uint32(min(connStreams*window, math.MaxInt32))
	s.about += "; receive windows are fixed, that of a connection at four times as much"
	s.server = []server.Option{server.WithGRPCInitialWindowSize(stream), server.WithGRPCInitialConnWindowSize(conn)}
	s.client = func(o framework.DialOptions) []kitexclient.Option {
		return append(grpc.client(o), kitexclient.WithGRPCInitialWindowSize(stream), kitexclient.WithGRPCInitialConnWindowSize(conn))
	}
	return s
}

const (
	// leastWindow is HTTP/2's own window. Kitex ignores smaller ones.
	leastWindow = 1<<16 - 1
	// connStreams is how many streams with a full window a connection's window is for.
	connStreams = 4
)

// ttheaderStreaming is kitex's protocol for thrift services with streams. It has no
// protobuf.
var ttheaderStreaming = setup{
	name: "ttheader-streaming",
	about: "calls are those of `transport=pool`; streams are TTHeader Streaming over `-conns` shared connections;" +
		" streams have no flow control, so a receiver keeps all that has arrived",
	sharing: framework.Pooled,
	client: func(o framework.DialOptions) []kitexclient.Option {
		return append(longConnections(o),
			kitexclient.WithTransportProtocol(transport.Framed|transport.TTHeaderStreaming),
			kitexclient.WithTTHeaderStreamingOptions(kitexclient.WithTTHeaderStreamingTransportOptions(
				ttstream.WithClientMuxConnPool(ttstream.MuxConnConfig{
					PoolSize:       o.Conns,
					MaxIdleTimeout: ttstream.DefaultMuxConnConfig.MaxIdleTimeout,
				}))))
	},
	streams: true,
}

// poolGonet is pool over package net instead of netpoll. Its options are those that kitex
// itself has on Windows.
var poolGonet = setup{
	name:     "pool-gonet",
	about:    "both sides have connections of package net instead of netpoll's, as kitex has on Windows; the protocol and the pool are those of `transport=pool`",
	handlers: "; each connection has a goroutine, in which its handlers run",
	sharing:  framework.Pooled,
	server: []server.Option{
		server.WithTransServerFactory(gonet.NewTransServerFactory()),
		server.WithTransHandlerFactory(detection.NewSvrTransHandlerFactory(gonet.NewSvrTransHandlerFactory(),
			nphttp2.NewSvrTransHandlerFactory(), ttstream.NewSvrTransHandlerFactory())),
	},
	client: func(o framework.DialOptions) []kitexclient.Option {
		return append(longConnections(o), kitexclient.WithTransHandlerFactory(gonet.NewCliTransHandlerFactory()))
	},
	dialer:   gonet.NewDialer,
	balances: true,
}

// longConnections keeps a connection for each caller, so that none is closed between
// calls.
func longConnections(o framework.DialOptions) []kitexclient.Option {
	return []kitexclient.Option{kitexclient.WithLongConnection(connpool.IdleConfig{
		MaxIdlePerAddress: o.Callers,
		MaxIdleGlobal:     1 << 20,
		MaxIdleTimeout:    time.Minute, // as in kitex's default pool
	})}
}
