// Package rpcx adapts rpcx over TCP.
package rpcx

import (
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/codecs/rpc/thrift"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// servicePath is the service's name on both sides.
const servicePath = "Bencher"

// Names of the methods.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// rawMethods are RawBencher's.
var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "Fail"}

// codec is a serializer as rpcx numbers it, and its messages.
type codec[E, B any] struct {
	serializer
	serialize protocol.SerializeType
	messages  native.Kind[E, B]
}

var (
	gobCodec      = codec[plain.EchoMessage, plain.BenchMessage]{dynamic.Gob, serializeGob, plain.Kind}
	jsonCodec     = codec[plain.EchoMessage, plain.BenchMessage]{dynamic.JSON, protocol.JSON, plain.Kind}
	msgpackCodec  = codec[plain.EchoMessage, plain.BenchMessage]{dynamic.Msgpack, protocol.MsgPack, plain.Kind}
	protobufCodec = codec[protobuf.EchoMessage, protobuf.BenchMessage]{dynamic.Protobuf, protocol.ProtoBuffer, protobuf.Kind}
	thriftCodec   = codec[thrift.EchoMessage, thrift.BenchMessage]{apacheThrift{}, protocol.Thrift, thrifts}
)

// thrifts are the messages of Apache Thrift's compiler.
var thrifts = native.Kind[thrift.EchoMessage, thrift.BenchMessage]{
	Set: func(e *thrift.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *thrift.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	Share: native.Assign[thrift.BenchMessage],
	Answer: func(b *thrift.BenchMessage) {
		b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2
	},
	Answered: func(b *thrift.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}

// serializer says what encodes.
type serializer interface {
	Name() string
	Modules() []string
}

// apacheThrift is what rpcx uses for protocol.Thrift.
type apacheThrift struct{}

func (apacheThrift) Name() string      { return "thrift" }
func (apacheThrift) Modules() []string { return []string{"github.com/apache/thrift"} }

// maxThrift is the largest echo payload in bytes over thrift, whose limit of
// 100 MiB for a message rpcx does not lift.
const maxThrift = 64 << 20

// wiring is how both sides are set up.
type wiring struct {
	transport, profile, pool string
	about                    string
	sharing                  framework.Sharing
	options                  []server.OptionFn
	handlers                 bool // functions added by AddHandler instead of a service
	pooled                   bool // one XClientPool deals out the connections
}

const aboutClient = "an XClient for each connection"

var (
	tcp      = wiring{transport: "tcp", about: aboutClient}
	ownPool  = wiring{transport: "tcp-xclientpool", about: "one XClientPool, which goes round its XClients", sharing: framework.Mux, pooled: true}
	handlers = wiring{transport: "tcp-handler", about: aboutClient + "; functions by AddHandler instead of a service", handlers: true}
	// workers has the numbers of rpcx-benchmark (rpcx_handler/server).
	workers = wiring{
		transport: "tcp", pool: "workers", about: aboutClient + "; WithPool(100, 1000000)",
		options: []server.OptionFn{server.WithPool(100, 1_000_000)},
	}
	// tuned has the one option of rpcx-benchmark (rpcx/server). rpcx's own
	// comments advise it for tests of performance alone.
	tuned = wiring{
		transport: "tcp", profile: "tuned", about: aboutClient + "; AsyncWrite: the server writes each reply in a goroutine of its own",
		options: []server.OptionFn{server.WithAsyncWrite()},
	}
)

// Variants lists rpcx in the serializers it has and in its ways to connect and
// to handle. It has no limit on the size of messages.
func Variants() []framework.Variant {
	recommended := variant(protobufCodec, tcp)
	recommended.Recommended = true
	gob := variant(gobCodec, tcp)
	gob.About += "; gob by RegisterCodec, an encoder for each message"
	overThrift := variant(thriftCodec, tcp)
	overThrift.MaxMessage = maxThrift
	return []framework.Variant{
		recommended,
		variant(jsonCodec, tcp),
		variant(msgpackCodec, tcp),
		gob,
		overThrift,
		rawVariant(tcp),
		variant(protobufCodec, ownPool),
		variant(protobufCodec, handlers),
		variant(protobufCodec, workers),
		variant(protobufCodec, tuned),
	}
}

func variant[E, B any](c codec[E, B], w wiring) framework.Variant {
	v := w.variant(side{
		serialize: c.serialize,
		register:  func(s *server.Server) error { return register(s, c.messages, w.handlers) },
		hello:     func() (req, reply any) { return new(E), new(E) },
		client:    func(conns *connections) framework.Client { return &caller[E, B]{conns, c.messages} },
	})
	v.Codec, v.Async = c.Name(), true
	v.Modules = append(v.Modules, c.Modules()...)
	return v
}

func rawVariant(w wiring) framework.Variant {
	v := w.variant(side{
		serialize: protocol.SerializeNone,
		register:  func(s *server.Server) error { return s.RegisterName(servicePath, new(RawBencher), "") },
		hello:     func() (req, reply any) { return new([]byte), new([]byte) },
		client:    func(conns *connections) framework.Client { return &rawCaller{conns} },
	})
	v.Codec, v.Kind = "raw", framework.Bytes
	v.About += "; []byte by SerializeNone"
	return v
}

// side is what the messages decide.
type side struct {
	serialize protocol.SerializeType
	register  func(*server.Server) error
	hello     func() (req, reply any) // of the echo that opens a connection
	client    func(*connections) framework.Client
}

func (w wiring) variant(s side) framework.Variant {
	dial := func(addrs []string, o framework.DialOptions) (framework.Client, error) {
		conns, err := dial(addrs, w.pooled, s, o)
		if err != nil {
			return nil, err
		}
		return s.client(conns), nil
	}
	return framework.Variant{
		Framework: "rpcx", Transport: w.transport, Profile: w.profile, Pool: w.pool,
		About:   w.about,
		Sharing: w.sharing,
		Modules: []string{"github.com/smallnest/rpcx"},
		Races:   framework.Races{Ending: "rpcx reads a call's sequence number without its lock when a context ends, and isShutdown when it closes"},
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, s.register, w.options) },
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			return dial([]string{addr}, o)
		},
		DialAll: dial,
	}
}
