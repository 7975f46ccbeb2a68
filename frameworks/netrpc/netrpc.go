// Package netrpc adapts the standard library's net/rpc, with its own gob
// encoding, with JSON-RPC, and with other serializers as its codecs.
package netrpc

import (
	"io"
	"net/rpc"
	"net/rpc/jsonrpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Variants lists net/rpc with its encodings.
func Variants() []framework.Variant {
	recommended := variant(gob(framework.Stack{}))
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{
		recommended,
		variant(kind[plain.EchoMessage, plain.BenchMessage]{
			Kind: plain.Kind, name: "json", about: "net/rpc/jsonrpc",
			serve: serveJSON, client: jsonrpc.NewClient,
		}),
		variant(framed(dynamic.Msgpack, plain.Kind)),
		variant(framed(dynamic.Protobuf, protobuf.Kind)),
	}
}

// gob is net/rpc's default.
func gob(layers framework.Stack) kind[plain.EchoMessage, plain.BenchMessage] {
	return kind[plain.EchoMessage, plain.BenchMessage]{
		Kind: plain.Kind, name: "gob", about: "net/rpc's own codec: a gob stream in each direction",
		serve: (*rpc.Server).ServeConn, client: rpc.NewClient, layers: layers,
	}
}

// layers describes the layers of the recommended variant.
func layers() *framework.Layers {
	const secured = "ServeConn and NewClient, which take any connection, on connections of crypto/tls"
	return &framework.Layers{
		Has:  map[framework.Layer]string{framework.TLS13: secured, framework.MTLS: secured},
		With: func(s framework.Stack) framework.Variant { return variant(gob(s)) },
	}
}

func variant[E, B any](k kind[E, B]) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "netrpc", Transport: "tcp", Codec: k.name},
		About:       k.about,
		Modules:     k.modules,
		Abilities:   framework.Abilities{Async: true},
		Connections: framework.Connections{Unix: true},
		Limits:      framework.Limits{MaxMessage: k.largest},
		Unknown:     framework.Says("rpc: can't find "),
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, k) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, k, o) },
	}
}

// framed returns a kind with a codec of this package, which frames the messages of a
// serializer. net/rpc lets its users write such codecs.
func framed[E, B any](d dynamic.Codec, k native.Kind[E, B]) kind[E, B] {
	return kind[E, B]{
		Kind: k, name: d.Name(), about: "each message is a frame with a length before it and is flushed; the codec was written in this project; the serializer is " + d.Modules()[0],
		modules: append([]string{"std"}, d.Modules()...),
		largest: MaxMessage,
		serve:   func(s *rpc.Server, c io.ReadWriteCloser) { s.ServeCodec(newServerCodec(c, d)) },
		client:  func(c io.ReadWriteCloser) *rpc.Client { return rpc.NewClientWithCodec(newClientCodec(c, d)) },
	}
}

func serveJSON(s *rpc.Server, c io.ReadWriteCloser) { s.ServeCodec(jsonrpc.NewServerCodec(c)) }
