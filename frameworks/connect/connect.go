// Package connect adapts connectrpc.com/connect: its own protocol over
// net/http, in HTTP/1.1 and in HTTP/2 without TLS.
package connect

import (
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Paths of the methods, as generated code names them.
const (
	service     = "/rpcbench.Bencher/"
	echoPath    = service + "Echo"
	messagePath = service + "Message"
	unknownPath = service + "Unknown"
	streamPath  = "/rpcbench.Streamer/Stream"
)

// config is what tells the variants' clients apart. Their server is the same:
// it speaks both versions of HTTP, both codecs, and gzip to those who ask.
type config struct {
	wiring
	codec, profile, about string
	options               []connect.ClientOption
}

// wiring is a version of HTTP and the connection model that comes with it.
type wiring struct {
	transport string
	about     string // what it does beyond its name
	sharing   framework.Sharing
	streams   bool // in both directions at once
	// clients is how many HTTP clients there are, to be shared by the workers.
	clients func(framework.DialOptions) int
	// limit makes an HTTP client keep to the budget.
	limit func(*http.Transport, framework.DialOptions)
}

// Variants lists connect in both versions of HTTP. The recommended one is what
// the example in its README is: HTTP/1.1, with replies that are compressed.
func Variants() []framework.Variant {
	recommended := config{h1, "protobuf", "", zipped, nil}.variant()
	recommended.Recommended = true
	plain := []connect.ClientOption{connect.WithAcceptCompression("gzip", nil, nil)}
	return []framework.Variant{
		recommended,
		config{h1, "protobuf", "tuned", unzipped, plain}.variant(),
		config{h1, "json", "", zipped, []connect.ClientOption{connect.WithProtoJSON()}}.variant(),
		config{h2c, "protobuf", "", zipped, nil}.variant(),
		config{h2c, "protobuf", "tuned", unzipped, plain}.variant(),
	}
}

// What the variants say about themselves.
const (
	protocol = "the connect protocol over net/http; "
	zipped   = protocol + "the client asks for replies in gzip and the server compresses all of them, connect's default"
	unzipped = protocol + "the client does not ask for compressed replies"
)

func (c config) variant() framework.Variant {
	return framework.Variant{
		Framework: "connect", Transport: c.transport, Codec: c.codec, Profile: c.profile,
		About: c.about + c.wiring.about, Sharing: c.sharing, Streams: c.streams,
		Modules: []string{"connectrpc.com/connect", "google.golang.org/protobuf"},
		Serve:   serve,
		Dial:    func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, o, c) },
	}
}

// h1 has a connection for each call under way, which net/http pools. By itself
// it would keep no more than two that are idle.
var h1 = wiring{
	transport: "h1",
	sharing:   framework.Pooled,
	clients:   func(framework.DialOptions) int { return 1 },
	limit: func(t *http.Transport, o framework.DialOptions) {
		t.Protocols = protocols((*http.Protocols).SetHTTP1)
		t.MaxConnsPerHost, t.MaxIdleConnsPerHost, t.MaxIdleConns = o.Callers, o.Callers, o.Callers
	},
}

// h2c shares connections. An HTTP client of net/http opens one to a host, and
// would open more for calls beyond what the server allows on one at a time:
// strict, they wait.
var h2c = wiring{
	transport: "h2c",
	about:     "; net/http's limit of 250 calls at once on a connection is lifted",
	sharing:   framework.Fixed,
	streams:   true,
	clients:   func(o framework.DialOptions) int { return o.Conns },
	limit: func(t *http.Transport, _ framework.DialOptions) {
		t.Protocols = protocols((*http.Protocols).SetUnencryptedHTTP2)
		t.HTTP2 = &http.HTTP2Config{StrictMaxConcurrentRequests: true}
	},
}

// protocols are the versions of HTTP that are set.
func protocols(sets ...func(*http.Protocols, bool)) *http.Protocols {
	p := new(http.Protocols)
	for _, set := range sets {
		set(p, true)
	}
	return p
}
