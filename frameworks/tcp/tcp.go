// Package tcp is the reference of the tables: the same bytes over TCP, without a
// framework or a serializer. It has two forms, as frameworks do. With transport=conn
// each caller has a connection of its own. With transport=mux the callers share a few
// connections, with request ids and coalesced writes.
//
// It echoes bytes. There are no methods, fields or handlers, and calls do not send the
// action of a message. As with the frameworks, each call reads its reply into fresh
// memory. The server has nothing to decode, so it reads all requests of a connection
// into the same buffer. Streams send the action as a number, see stream.go.
package tcp

import (
	"errors"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Variants lists the two forms. Both are in the default set.
func Variants() []framework.Variant {
	var list []framework.Variant
	for _, with := range []func(setup) framework.Variant{unshared, shared} {
		v := with(setup{})
		v.Windows, v.Layers = windows(with), layers(with)
		list = append(list, v)
	}
	return list
}

// Sending lists the two forms with as many bytes as an exchange has. They echo, and so send
// half of the bytes of a request and its reply in each direction.
func Sending[Q, R any](x message.Exchange[Q, R]) []framework.Variant {
	list, sent := Variants(), x.Sent()
	sent.Size = (sent.Size + sent.ReplySize) / 2
	for i := range list {
		v := &list[i]
		with := v.Layers.With
		v.Sent, v.Windows = sent, nil
		v.Layers = &framework.Layers{Has: v.Layers.Has, With: func(s layer.Stack) framework.Variant {
			w := with(s)
			w.Sent = sent
			return w
		}}
	}
	return list
}

// unshared returns the form in which each caller has a connection.
func unshared(s setup) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "tcp", Transport: "conn", Codec: "none"},
		Recommended: true,
		About:       "a message is its length, an id and its bytes; each caller has a connection" + s.about(),
		Rank:        framework.Reference,
		Abilities:   framework.Abilities{Kind: framework.Bare, Streams: true},
		Connections: framework.Connections{Unix: s.window == 0, Sharing: framework.Pooled},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     func(err error) bool { return errors.Is(err, errNoStreams) },
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, connBuffer, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dialConn(addr, o, s) },
	}
}

// shared returns the form in which callers share connections.
func shared(s setup) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "tcp", Transport: "mux", Codec: "none"},
		Recommended: true,
		About:       "a message is its length, an id and its bytes; callers share connections; messages that are ready are written together" + s.about(),
		Rank:        framework.Reference,
		Abilities:   framework.Abilities{Kind: framework.Bare},
		Connections: framework.Connections{Unix: s.window == 0, Sharing: framework.Mux},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, muxBuffer, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dialMux(addr, o, s) },
	}
}

// windows describes the windows of a variant of which with makes others.
func windows(with func(setup) framework.Variant) *framework.Windows {
	return &framework.Windows{
		Default: "the kernel's, which grow up to its `net.ipv4.tcp_rmem`",
		Least:   leastWindow,
		Check:   func(bytes int) error { return window(bytes).check() },
		With:    func(bytes int) framework.Variant { return with(setup{window: window(bytes)}) },
	}
}

// layers describes the layers of a variant of which with makes others: what TLS costs
// without a framework.
func layers(with func(setup) framework.Variant) *framework.Layers {
	return &framework.Layers{
		Has:  map[layer.Layer]string{layer.TLS13: "crypto/tls around each connection", layer.MTLS: "crypto/tls around each connection"},
		With: func(s layer.Stack) framework.Variant { return with(setup{layers: s}) },
	}
}
