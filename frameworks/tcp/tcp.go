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

// Variants lists the two forms. Both are in the default set.
func Variants() []framework.Variant {
	list := []framework.Variant{unshared(0), shared(0)}
	list[0].Windows, list[1].Windows = windows(unshared), windows(shared)
	return list
}

// unshared returns the form in which each caller has a connection.
func unshared(w window) framework.Variant {
	return framework.Variant{
		Framework: "tcp", Transport: "conn", Codec: "none",
		Recommended: true, Kind: framework.Bare, Rank: framework.Reference, Unix: w == 0, Sharing: framework.Pooled, Streams: true, MaxMessage: MaxMessage,
		About:   "a message is its length, an id and its bytes; each caller has a connection" + w.about(),
		Unknown: func(err error) bool { return errors.Is(err, errNoStreams) },
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, connBuffer, w) },
		Dial:    func(addr string, _ framework.DialOptions) (framework.Client, error) { return dialConn(addr, w) },
	}
}

// shared returns the form in which callers share connections.
func shared(w window) framework.Variant {
	return framework.Variant{
		Framework: "tcp", Transport: "mux", Codec: "none",
		Recommended: true, Kind: framework.Bare, Rank: framework.Reference, Unix: w == 0, Sharing: framework.Mux, MaxMessage: MaxMessage,
		About: "a message is its length, an id and its bytes; callers share connections; messages that are ready are written together" + w.about(),
		Serve: func(addr string) (framework.Server, error) { return serve(addr, muxBuffer, w) },
		Dial:  func(addr string, o framework.DialOptions) (framework.Client, error) { return dialMux(addr, o, w) },
	}
}

func serve(addr string, bufferSize int, w window) (framework.Server, error) {
	s, err := conns.ServeWith(w.control(), addr, func(c net.Conn) {
		w.keep(c)
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
