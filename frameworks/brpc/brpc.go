// Package brpc is a client and a server for protocols of Apache brpc: baidu_std with
// its attachments and streams, and hulu. brpc itself is C++ and has no client for Go,
// so this code was written from the protocols. README.md in this directory says what
// a server in another language has to do.
package brpc

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// MaxMessage is the largest echo payload in bytes. A server in C++ has to set its flag
// max_body_size for that, whose default is 64 MiB.
const MaxMessage = 256 << 20

const about = "client and server were written in this project from the protocol"

var (
	protobufKind = kind{
		name:    "protobuf",
		streams: "; brpc closes both directions at once, so a stream's end or error is a last message",
		client: func(c connections, streams bool) framework.Client {
			if streams {
				return &streamClient{client{c}}
			}
			return &client{c}
		},
	}
	rawKind = kind{
		name: "raw", carries: framework.Bytes, about: "; the payload is the attachment; the message before it has the action alone",
		client: func(c connections, _ bool) framework.Client { return &rawClient{c} },
	}
)

// Variants lists brpc's protocols.
func Variants() []framework.Variant {
	recommended := variant(std, protobufKind)
	recommended.Recommended, recommended.Windows, recommended.Layers = true, windows(), layers(protobufKind)
	attached := variant(std, rawKind)
	attached.Layers = layers(rawKind)
	return []framework.Variant{recommended, attached, variant(hulu, protobufKind)}
}

// layers describes brpc's compression.
func layers(k kind) *framework.Layers {
	return &framework.Layers{
		Has: map[layer.Layer]string{layer.Gzip: "compress_type of the protocol's meta, which is about messages alone: attachments and streams pass as they are"},
		With: func(s layer.Stack) framework.Variant {
			with := std
			with.layers = s
			return variant(with, k)
		},
	}
}

// windows describes the windows of streams. As in brpc, the sender has the window: how much
// the receiver may have left to consume. Both sides get the same.
func windows() *framework.Windows {
	return &framework.Windows{
		Default:   "a stream's is 2 MiB, brpc's default of max_buf_size, and a call has none",
		Least:     1,
		OfStreams: true,
		With: func(bytes int) framework.Variant {
			s := std
			s.window = bytes
			return variant(s, protobufKind)
		},
	}
}

func variant(s setup, k kind) framework.Variant {
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "brpc", Transport: s.transport, Codec: k.name},
		About:       about + k.about,
		Modules:     []string{"std", "google.golang.org/protobuf"}, // std first, since the protocol is written here
		Rank:        framework.Ours,
		Abilities:   framework.Abilities{Kind: k.carries, Async: k.carries == framework.Fields, Streams: s.carries(k)},
		Connections: framework.Connections{Unix: true},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s.window) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, k, o) },
	}
	if v.Streams {
		v.About += k.streams
	}
	return v
}
