// Package netrpc adapts the standard library's net/rpc, with its own gob
// encoding, with JSON-RPC, and with other serializers as its codecs.
package netrpc

import (
	"io"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// codec is one of the ways in which net/rpc encodes.
type codec[E, B any] struct {
	name     string
	about    string
	messages native.Kind[E, B]
	modules  []string
	serve    func(*rpc.Server, io.ReadWriteCloser)
	client   func(io.ReadWriteCloser) *rpc.Client
}

// Variants lists net/rpc in its encodings.
func Variants() []framework.Variant {
	gob := variant(codec[plain.EchoMessage, plain.BenchMessage]{
		name: "gob", about: "its own codec: one gob stream each way",
		messages: plain.Kind,
		serve:    (*rpc.Server).ServeConn, client: rpc.NewClient,
	})
	gob.Recommended = true
	return []framework.Variant{
		gob,
		variant(codec[plain.EchoMessage, plain.BenchMessage]{
			name: "json", about: "net/rpc/jsonrpc",
			messages: plain.Kind,
			serve:    serveJSON, client: jsonrpc.NewClient,
		}),
		variant(framed(dynamic.Msgpack, plain.Kind)),
		variant(framed(dynamic.Protobuf, protobuf.Kind)),
	}
}

func variant[E, B any](c codec[E, B]) framework.Variant {
	return framework.Variant{
		Framework: "netrpc", Transport: "tcp", Codec: c.name,
		About:   c.about,
		Async:   true,
		Modules: c.modules,
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, c) },
		Dial:    func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, o, c) },
	}
}

// framed is a codec of our own, as net/rpc lets its users have, over a
// serializer of messages.
func framed[E, B any](d dynamic.Codec, messages native.Kind[E, B]) codec[E, B] {
	return codec[E, B]{
		name: d.Name(), about: "a codec with length-prefixed frames, one flush each, over " + d.Modules()[0],
		messages: messages,
		modules:  append([]string{"std"}, d.Modules()...),
		serve:    func(s *rpc.Server, c io.ReadWriteCloser) { s.ServeCodec(newServerCodec(c, d)) },
		client:   func(c io.ReadWriteCloser) *rpc.Client { return rpc.NewClientWithCodec(newClientCodec(c, d)) },
	}
}

func serveJSON(s *rpc.Server, c io.ReadWriteCloser) { s.ServeCodec(jsonrpc.NewServerCodec(c)) }

// serve keeps account of the connections itself: net/rpc would go on serving
// those that are open when its listener has been closed.
func serve[E, B any](addr string, codec codec[E, B]) (framework.Server, error) {
	s := rpc.NewServer()
	if err := s.RegisterName("Bencher", &Bencher[E, B]{codec.messages}); err != nil {
		return nil, err
	}
	l, err := conns.Serve(addr, func(c net.Conn) { codec.serve(s, c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Bencher is the service. It is exported because net/rpc asks for that.
type Bencher[E, B any] struct{ messages native.Kind[E, B] }

// Echo sends the request back.
func (b *Bencher[E, B]) Echo(req, reply *E) error { return b.messages.FillEcho(req, reply) }

// Message answers the bench message.
func (b *Bencher[E, B]) Message(req, reply *B) error {
	return b.messages.FillMessage(req, reply)
}
