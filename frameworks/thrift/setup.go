package thrift

import (
	"net"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// MaxMessage is the largest echo payload in bytes: Thrift's own limits, 100 MiB
// for a message and 15.6 MiB for a frame, are lifted on both sides.
const MaxMessage = 256 << 20

// limits applies to both sides. It leaves room for what the encoding adds to a payload.
var limits = &thrift.TConfiguration{
	MaxMessageSize: MaxMessage + 64<<10,
	MaxFrameSize:   MaxMessage + 64<<10,
}

// stub makes the generated client of a connection.
func (s setup) stub(c net.Conn) (*bench.BencherClient, error) {
	t, err := s.wrap.GetTransport(s.socket(c))
	if err != nil {
		return nil, err
	}
	standard := thrift.NewTStandardClient(s.protocol.GetProtocol(t), s.protocol.GetProtocol(t))
	return bench.NewBencherClient(callsThrough(standard, s.layers.Chain)), nil
}

// socket makes Thrift's transport of a connection.
func (s setup) socket(c net.Conn) thrift.TTransport {
	if s.layers.TLS() {
		return thrift.NewTSSLSocketFromConnConf(c, limits)
	}
	return thrift.NewTSocketFromConnConf(c, limits)
}

// setup is how both sides are configured: the layers between a socket and a message.
type setup struct {
	transport, codec, profile string
	rank                      framework.Rank
	about                     string
	wrap                      thrift.TTransportFactory
	protocol                  thrift.TProtocolFactory
	unchecked                 bool // the server does not watch the connections of calls under way
	layers                    layer.Stack
}

var (
	binary  = thrift.NewTBinaryProtocolFactoryConf(limits)
	compact = thrift.NewTCompactProtocolFactoryConf(limits)

	socket   = thrift.NewTTransportFactory() // adds nothing
	buffered = thrift.NewTBufferedTransportFactory(bufferSize)
	framed   = frames(socket)
)

// bufferSize is the size in bytes of the buffer for each direction of a connection. It
// is the one of the tutorial's flag -buffered.
const bufferSize = 8192

// frames adds frames to a transport.
func frames(on thrift.TTransportFactory) thrift.TTransportFactory {
	return thrift.NewTFramedTransportFactoryConf(on, limits)
}

// inBuffers is the tutorial with its flag -buffered.
var inBuffers = setup{transport: "buffered", codec: "binary", rank: framework.Beside, about: checked, wrap: buffered, protocol: binary}

var tutorial = setup{
	transport: "socket", codec: "binary", rank: framework.Ranked, wrap: socket, protocol: binary,
	about: checked + "; no buffers, as in the tutorial without its flag -buffered: each field is a write and some reads, five to six times the CPU of `transport=buffered`",
}

// What the variants say about themselves.
const (
	both    = "the server is TSimpleServer; the client has a pool written in this project; Thrift 0.17 generated the code"
	checked = both + "; the server watches the connection of each call under way, Thrift's default"
	tuned   = both + "; the server does not watch connections (ServerConnectivityCheckInterval = 0); both sides have frames over TBufferedTransport: one write a message instead of two"
)
