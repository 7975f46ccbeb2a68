// Package thrift adapts github.com/apache/thrift, Apache's own Thrift for Go,
// with code that its compiler generated.
package thrift

import (
	"github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes: Thrift's own limits, 100 MiB
// for a message and 15.6 MiB for a frame, are lifted on both sides.
const MaxMessage = 256 << 20

// limits are those of both sides, with room for what the encoding adds to a
// payload.
var limits = &thrift.TConfiguration{
	MaxMessageSize: MaxMessage + 64<<10,
	MaxFrameSize:   MaxMessage + 64<<10,
}

// setup is how both sides are configured: what lies between a socket and a
// message.
type setup struct {
	transport, codec, profile string
	about                     string
	wrap                      thrift.TTransportFactory
	protocol                  thrift.TProtocolFactory
	unchecked                 bool // a server does not watch the connections of the calls under way
}

var (
	binary  = thrift.NewTBinaryProtocolFactoryConf(limits)
	compact = thrift.NewTCompactProtocolFactoryConf(limits)

	buffered = thrift.NewTBufferedTransportFactory(bufferSize)
	framed   = frames(thrift.NewTTransportFactory())
)

// bufferSize in bytes is that of Thrift's tutorial, for each direction of a
// connection.
const bufferSize = 8192

// frames puts frames on top of a transport.
func frames(on thrift.TTransportFactory) thrift.TTransportFactory {
	return thrift.NewTFramedTransportFactoryConf(on, limits)
}

// Variants lists Apache Thrift's transports and protocols. A connection carries
// one call at a time.
func Variants() []framework.Variant {
	recommended := variant(framedBinary)
	recommended.Recommended = true
	return []framework.Variant{
		recommended,
		variant(setup{"framed", "binary", "tuned", tuned, frames(buffered), binary, true}),
		variant(setup{"framed", "compact", "", checked, framed, compact, false}),
		variant(setup{"buffered", "binary", "", checked, buffered, binary, false}),
	}
}

var framedBinary = setup{"framed", "binary", "", checked, framed, binary, false}

// What the variants say about themselves.
const (
	both    = "the server is TSimpleServer; the client has a pool written in this project; Thrift 0.17 generated the code"
	checked = both + "; the server watches the connection of each call under way, Thrift's default"
	tuned   = both + "; the server does not watch connections (ServerConnectivityCheckInterval = 0); both sides have frames over TBufferedTransport: one write a message instead of two"
)

func variant(s setup) framework.Variant {
	return framework.Variant{
		Framework: "thrift", Transport: s.transport, Codec: s.codec, Profile: s.profile,
		About: s.about, MaxMessage: MaxMessage, Sharing: framework.Pooled,
		Modules: []string{"github.com/apache/thrift"},
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:    func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}

// kind is what is done with the messages, those of Thrift's compiler.
var kind = native.Kind[bench.EchoMessage, bench.BenchMessage]{
	Set: func(e *bench.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *bench.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	Answer:   func(b *bench.BenchMessage) { b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2 },
	Answered: func(b *bench.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}
