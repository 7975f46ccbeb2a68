// Package brpc speaks the protocols of Apache brpc, baidu_std with its
// attachments and streams, and hulu, as a client and as a server. brpc itself is
// C++ and has no client for Go: these are written from the protocols. README.md
// in this directory says what a server in another language has to do.
package brpc

import (
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes. brpc's own limit, its flag
// max_body_size, is 64 MiB unless it is set: a server in C++ has to set it for
// more.
const MaxMessage = 256 << 20

const about = "client and server of our own, written from the protocol"

// messages are those of all variants.
var messages = protobuf.Kind

// Variants lists brpc's protocols.
func Variants() []framework.Variant {
	std := variant("baidu_std", wire.BaiduStd)
	std.Recommended, std.Streams = true, true
	std.About = about + "; a stream's window is 2 MiB, brpc's default; its end and its error are a last message, as brpc closes both ways at once"
	return []framework.Variant{std, rawVariant(), variant("hulu", wire.Hulu)}
}

func variant(transport string, p *wire.Protocol) framework.Variant {
	return framework.Variant{
		Framework: "brpc", Transport: transport, Codec: "protobuf",
		About: about,
		Async: true, MaxMessage: MaxMessage,
		Modules: []string{"std", "google.golang.org/protobuf"}, // first what is written over sockets alone
		Serve:   serve,
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			opened, err := open(addr, o, p)
			return &client{opened}, err
		},
	}
}

func rawVariant() framework.Variant {
	v := variant("baidu_std", wire.BaiduStd)
	v.Codec, v.Kind, v.Async = "raw", framework.Bytes, false
	v.About = about + "; bytes as the attachment, the action in the message before it"
	v.Dial = func(addr string, o framework.DialOptions) (framework.Client, error) {
		opened, err := open(addr, o, wire.BaiduStd)
		return &rawClient{opened}, err
	}
	return v
}
