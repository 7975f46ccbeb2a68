package framework

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// Variant is one framework in one configuration. Configurations that perform
// differently are variants of their own. The fields of embedded structs are read as the
// variant's own, as in v.Framework.
type Variant struct {
	Keys
	// Layers says which layers the variant can be given; nil for none.
	Layers *Layers
	// Windows says which sizes Window may have; nil for a variant without windows to
	// set.
	Windows *Windows
	// Secured makes the variant with a stack of TLS13, for a transport that has no connections
	// without TLS; nil for others. Serve and Dial of the variant itself then return an error.
	Secured func(layer.Stack) Variant
	// About says what the keys do not say of the set-up of both sides, in clauses
	// separated by "; ". A clause that several variants of a framework share, word
	// for word, is printed once for all of them.
	About string
	// Modules are the modules whose versions are printed with the results, the
	// framework's own first; empty for the standard library.
	Modules []string

	// Recommended marks the variant that represents its framework in the default
	// set.
	Recommended bool
	// Rank says how the variant takes part in comparisons.
	Rank Rank
	// StandIn marks a framework without a server in Go. It is measured against
	// servers of users, given by the flag -server. Serve starts a substitute for
	// the conformance test, which is not measured.
	StandIn bool

	Abilities
	// Sent describes the messages of Message; nil: they are the bench message.
	Sent *message.Sent
	Connections
	Limits
	// Races are the known data races of the framework.
	Races Races
	// Unknown reports whether an error of a call or of a stream is the framework's own
	// for a method or a service that the server does not have, whatever handlers return; nil
	// for a variant of Kind Bare without Streams.
	Unknown func(error) bool

	// Serve listens on addr ("127.0.0.1:0" for any free port, or with Connections.Unix the
	// path of a Unix socket) and answers until the server is closed. It is called in the
	// server's process, and more than once for several servers.
	Serve func(addr string) (Server, error)
	// ServePool is Serve with this number of workers, 1 at least, in the pool, for a variant whose Pool
	// is "workers" and can have other numbers than its own; nil for others.
	ServePool func(addr string, workers int) (Server, error)
	// Dial makes a client of the server at addr. It is called in the client's
	// process.
	Dial func(addr string, o DialOptions) (Client, error)
	// DialAll is Dial for several equal servers, two at least, with DialOptions.Conns
	// connections to each, between which the framework's own load balancing
	// chooses; nil if the framework has no load balancing.
	DialAll func(addrs []string, o DialOptions) (Client, error)
	// Policies lists how the framework's load balancing can choose, with the policy of
	// DialAll; nil if the framework has no load balancing.
	Policies []Policy
}

// Policy is a way in which a framework's own load balancing chooses the server of a call.
type Policy struct {
	// Name is the value of policy=, whatever the framework calls it: roundrobin, random,
	// weighted, leastload, p2c or consistenthash.
	Name string
	// About is what the framework calls it, in a clause.
	About string
	// DialAll is Variant.DialAll with this policy.
	DialAll func(addrs []string, o DialOptions) (Client, error)
}

// Layers are what a variant can be given beyond itself.
type Layers struct {
	// Has says of each layer that the variant can have by what means it has it, in a clause
	// of a few words.
	Has map[layer.Layer]string
	// Metadata says by what means the variant's calls carry metadata; the zero value: they
	// carry none.
	Metadata metadata.Means
	// Chain says by what means the variant's calls pass interceptors on both sides; the zero
	// value: they pass none.
	Chain layer.Interceptors
	// With makes the variant with a stack of layers that are in Has, and with the stack's
	// metadata and interceptors. Its About says nothing about them.
	With func(layer.Stack) Variant
}

// Windows are the receive windows that a variant can be given. A receive window is how
// many bytes the other side may send before this side has taken them.
type Windows struct {
	// Default says which windows the variant has as it is, in a clause of a few words.
	Default string
	// Least is the smallest window in bytes that the framework takes.
	Least int
	// OfStreams says that streams have the window and calls have none.
	OfStreams bool
	// Check returns why this machine cannot have windows of this size in bytes; nil: it
	// can. A nil Check stands for a framework whose windows are its own affair.
	Check func(bytes int) error
	// With makes the variant of which both sides have receive windows of this size in
	// bytes. The window is that of a stream, or of a connection if streams have none. Its
	// connection's window is large enough for four streams where there are both.
	With func(bytes int) Variant
}

// Abilities say which calls a variant's client can make, and so which interfaces it
// implements. The zero Abilities are those of a MessageClient.
type Abilities struct {
	// Kind says which messages the variant carries.
	Kind Kind
	// Async says that the client is an AsyncClient.
	Async bool
	// Streams says that the client is a StreamClient.
	Streams bool
	// Converts says that native requests hold the payload in another form, such as text,
	// which is made before the calls. The client patches what the first 8 bytes have become.
	// Each worker's payload is in memory of its own, however large, and keeps its length:
	// the client would convert all of it anew in calls that send another.
	Converts bool
}

// Kind says which messages a variant carries. It decides which checks it must pass.
type Kind int

const (
	// Fields are messages with fields, methods and handler errors. The client
	// is a MessageClient.
	Fields Kind = iota
	// Bytes are sent without the serializer, with methods and handler errors:
	// codec=raw. The client is a MethodClient.
	Bytes
	// Bare are bytes without methods, fields or handlers. The client is a Client.
	Bare
)

// Limits say what the framework limits although the adapter would lift it, and what it does
// not limit. The zero Limits are for any message, any time of a call, and memory that is
// allocated as a message arrives.
type Limits struct {
	// MaxMessage is the largest echo payload in bytes that both sides accept; 0
	// means that no limit is known.
	MaxMessage int
	// CallLimit is how long the framework lets a call take even if its context
	// allows more; 0 means that only the context decides.
	CallLimit time.Duration
	// Announced says what the framework allocates because a message announces it,
	// before it has arrived, if that can be hundreds of MiB that the adapter cannot
	// limit; "" if not. Storms then allows 4 GiB, and makes fewer connections.
	Announced string
}

// Says returns a function for Variant.Unknown of a framework whose errors are texts: it
// reports whether the text of an error contains one of these.
func Says(texts ...string) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(err.Error(), text) })
	}
}

// Rank says how a variant takes part in comparisons. A run prints the ranks before its
// results, and reports read them there.
type Rank int

const (
	// Ranked is a framework that is compared with the others.
	Ranked Rank = iota
	// Beside is a framework that is ranked already, with an option that changes
	// what is compared: one that its authors or other benchmarks switch on for
	// speed, or a default that the others do not have. Reports show it beside the
	// ranked variant.
	Beside
	// Ours speaks the protocol of a framework by code of this project. Its
	// results say nothing about the framework itself.
	Ours
	// Reference is raw TCP, with which the others are compared.
	Reference
)

// String is the word for a rank in the output.
func (r Rank) String() string {
	words := [...]string{"ranked", "beside", "ours", "reference"}
	if r < 0 || int(r) >= len(words) {
		return "Rank(" + strconv.Itoa(int(r)) + ")"
	}
	return words[r]
}

// Races are data races that a framework has in its own code. Under the race
// detector the conformance test leaves out what would report them.
type Races struct {
	// Ending says which races there are in the client when a context ends, a
	// client is closed or a server dies; "" for none.
	Ending string
	// Calls says which races there are in calls themselves; "" for none.
	Calls string
}
