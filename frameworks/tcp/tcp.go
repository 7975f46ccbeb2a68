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
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest payload in bytes that either side accepts: 256 MiB, and
// room for what an encoding adds.
const MaxMessage = 256<<20 + 64<<10

// Sizes of read and write buffers in bytes. A shared connection carries many messages
// at once. Connections with one caller have smaller buffers, since there may be ten
// thousand of them.
const (
	connBuffer = 16 << 10
	muxBuffer  = 64 << 10
)

var errClosed = errors.New("tcp: closed by the client")

// options are what a variant adds to plain connections.
type options struct {
	window
	layers framework.Stack
}

// Variants lists the two forms. Both are in the default set.
func Variants() []framework.Variant {
	var list []framework.Variant
	for _, with := range []func(options) framework.Variant{unshared, shared} {
		v := with(options{})
		v.Windows, v.Layers = windows(with), layers(with)
		list = append(list, v)
	}
	return list
}

// unshared returns the form in which each caller has a connection.
func unshared(o options) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "tcp", Transport: "conn", Codec: "none"},
		Recommended: true,
		About:       "a message is its length, an id and its bytes; each caller has a connection" + o.about(),
		Rank:        framework.Reference,
		Abilities:   framework.Abilities{Kind: framework.Bare, Streams: true},
		Connections: framework.Connections{Unix: o.window == 0, Sharing: framework.Pooled},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     func(err error) bool { return errors.Is(err, errNoStreams) },
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, connBuffer, o) },
		Dial:        func(addr string, d framework.DialOptions) (framework.Client, error) { return dialConn(addr, d, o) },
	}
}

// shared returns the form in which callers share connections.
func shared(o options) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "tcp", Transport: "mux", Codec: "none"},
		Recommended: true,
		About:       "a message is its length, an id and its bytes; callers share connections; messages that are ready are written together" + o.about(),
		Rank:        framework.Reference,
		Abilities:   framework.Abilities{Kind: framework.Bare},
		Connections: framework.Connections{Unix: o.window == 0, Sharing: framework.Mux},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, muxBuffer, o) },
		Dial:        func(addr string, d framework.DialOptions) (framework.Client, error) { return dialMux(addr, d, o) },
	}
}

func serve(addr string, bufferSize int, o options) (framework.Server, error) {
	secured := o.layers.ServerTLS()
	s, err := conns.ServeWith(o.control(), addr, func(c net.Conn) {
		o.keep(c)
		if secured != nil {
			c = tls.Server(c, secured)
		}
		echo(c, bufferSize)
	})
	if err != nil {
		return nil, fmt.Errorf("tcp: %w", err)
	}
	return s, nil
}

// lost returns the error of a call whose connection failed or could not be opened.
func lost(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return errClosed
	}
	return fmt.Errorf("tcp: no connection: %w", err)
}
