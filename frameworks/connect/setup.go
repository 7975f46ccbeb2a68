package connect

import (
	"math"
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns/h3"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/version"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is a version of HTTP with its connection model and the options of the client.
// Without layers the server is always the same: it speaks both versions, both codecs and
// both protocols, and compresses replies for clients that accept gzip.
type setup struct {
	transport, profile string
	protocol           string
	rank               framework.Rank
	about              string
	sharing            framework.Sharing
	streams            bool // streams are bidirectional
	window             int  // receive window in bytes of a stream; 0 for net/http's own
	// clients returns the number of HTTP clients, which the workers share.
	clients func(framework.DialOptions) int
	version.Version
	options []connect.ClientOption
	layers  layer.Stack
}

// flow sets the windows in a configuration of either side.
func (s setup) flow(c *http.HTTP2Config) {
	if s.window > 0 {
		c.MaxReceiveBufferPerStream = s.window
		c.MaxReceiveBufferPerConnection = min(connStreams*s.window, math.MaxInt32)
	}
}

// over is the first clause of a variant's About.
func (s setup) over() string {
	if s.Datagrams() {
		return "the " + s.protocol + " protocol; "
	}
	return "the " + s.protocol + " protocol over net/http; "
}

// h1 has a pooled connection for each call under way.
var h1 = setup{
	transport: "h1",
	protocol:  "connect",
	sharing:   framework.Pooled,
	clients:   func(framework.DialOptions) int { return 1 },
	Version:   version.Version{Limit: web.Pool},
}

// h2c shares connections. An HTTP client of net/http opens one connection to a host.
var h2c = setup{
	transport: "h2c",
	protocol:  "connect",
	about:     "; net/http's limit of 250 calls at once on a connection is lifted",
	sharing:   framework.Fixed,
	streams:   true,
	clients:   func(o framework.DialOptions) int { return o.Conns },
	Version:   version.Version{Limit: web.Share},
}

// overQUIC shares connections. A transport of quic-go opens one connection to a host.
var overQUIC = setup{
	transport: "h3",
	protocol:  "connect",
	about:     "; " + h3.About,
	sharing:   framework.Fixed,
	streams:   true,
	clients:   func(o framework.DialOptions) int { return o.Conns },
}

// speakingGRPC returns s with gRPC's protocol.
func speakingGRPC(s setup) setup {
	s.transport, s.protocol = "grpc", "gRPC"
	s.options = append(s.options, connect.WithGRPC())
	return s
}

// windowed returns s with fixed receive windows on both sides.
func windowed(s setup, window int) setup {
	s.window = window
	s.about += "; that of a connection is four times as much"
	return s
}

const (
	// leastWindow is HTTP/2's own window.
	leastWindow = 1<<16 - 1
	// connStreams is how many streams with a full window a connection's window is for.
	connStreams = 4
)

// zipped returns s with compressed replies, connect's default.
func zipped(s setup) setup {
	s.rank = framework.Beside
	s.about = s.over() + "the client accepts gzip and the server compresses every reply, connect's default" + s.about
	return s
}

func unzipped(s setup) setup {
	s.profile = "nogzip"
	s.about = s.over() + "the client does not accept compressed replies" + s.about
	s.options = append(s.options, withoutGzip())
	return s
}

// withoutGzip has a client not accept what connect compresses by default.
func withoutGzip() connect.ClientOption { return connect.WithAcceptCompression("gzip", nil, nil) }

// with returns s with layers. Only with gzip the client accepts what connect compresses by
// default. The profile is that of the variant without layers.
func with(s setup, stack layer.Stack) setup {
	s.layers = stack
	if stack.Compression() == "" {
		return unzipped(s)
	}
	s.profile = "nogzip"
	s.about = s.over() + "the client accepts replies that the layer compresses" + s.about
	option := withoutGzip()
	if stack.Has(layer.Gzip) {
		option = connect.WithSendGzip()
	}
	s.options = append(s.options, option)
	return s
}
