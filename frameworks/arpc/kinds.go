package arpc

import (
	"github.com/lesismal/arpc"
	arpccodec "github.com/lesismal/arpc/codec"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

const aboutStreams = "; arpc does not send a stream's end or error, so the handler sends them as a last message"

var protobufKind = kindOf(dynamic.Protobuf, protobuf.Kind)

func kindOf[E, Q, R any](d dynamic.Codec, k native.Kind[E, Q, R]) kind {
	return kind{
		name: d.Name(), sent: k.Sent, modules: d.Modules(), streams: aboutStreams,
		codec: d,
		route: func(h arpc.Handler) { route(h, k) },
		client: func(c *connections, streams bool) framework.Client {
			if streams {
				return &streamClient[E, Q, R]{client[E, Q, R]{c, k}}
			}
			return &client[E, Q, R]{c, k}
		},
	}
}

var rawKind = kind{
	name: "raw", carries: framework.Bytes, about: "; arpc sends []byte as it is",
	codec:  arpccodec.DefaultCodec, // arpc does not call it for []byte
	route:  routeRaw,
	client: func(c *connections, _ bool) framework.Client { return &rawClient{c} },
}
