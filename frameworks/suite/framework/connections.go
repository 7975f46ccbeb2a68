package framework

import (
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// Connections say how a variant's client connects to a server. The zero Connections are
// as many as the flag -conns says, over TCP, each used by the same workers.
type Connections struct {
	// Sharing is the connection model.
	Sharing Sharing
	// Conns is the number of shared connections that the framework's documentation
	// advises, for a variant that has it whatever the flag -conns says; 0 for -conns.
	Conns int
	// StaysOpen says that the framework cannot close a client's connections: they stay
	// open until the process ends.
	StaysOpen bool
	// Datagrams says that packets are datagrams of UDP, as those of QUIC. A client then has a
	// UDP socket of its own for each connection.
	Datagrams bool
	// Unix says that Serve, Dial and DialAll also take the path of a Unix socket, see
	// package address.
	Unix bool
}

// Sharing is a connection model: how the callers of a client get a connection.
type Sharing int

// The connection models of frameworks.
const (
	// Fixed: DialOptions.Conns connections; each worker always uses the same one.
	Fixed Sharing = iota
	// Mux: DialOptions.Conns connections; the framework chooses one for each call.
	Mux
	// Pooled: each call borrows a connection; at most DialOptions.Callers are
	// open. Streams may have others beside them.
	Pooled
	// Short: each call opens a connection.
	Short
)

// DialOptions is the connection budget of a client.
type DialOptions struct {
	Conns   int // connections of a shared transport, > 0
	Callers int // most calls in flight at once, > 0: the size of a pool
	// Patience is how long Dial may wait for the answers to first calls; 0 for the
	// adapter's own limit.
	Patience time.Duration
	// Handshakes counts handshakes of TLS and resumes sessions; nil: they are full, and
	// nothing counts them. layer.Stack's ClientTLS takes it.
	Handshakes *layer.Handshakes
	// Weights has a weight more than 0 of each server, for a policy that takes weights: a
	// server with twice the weight gets twice the calls. nil: the servers are equal.
	Weights []int
}
