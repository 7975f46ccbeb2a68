package framework

import (
	"fmt"
	"time"
)

// Variant is one framework in one configuration that changes what is
// measured. Its keys are the keys of its benchmark lines.
type Variant struct {
	Framework string // framework=, as in "grpc"
	Transport string // transport=, as in "h2" or "mux"
	Codec     string // codec=, as in "protobuf"
	// Profile is the optional profile=: "tuned" for the options that the
	// framework's authors recommend for speed, "" for those that its
	// documentation starts with.
	Profile string
	// Pool is the optional pool=: "workers" where the server hands requests to
	// a pool of goroutines, "" for what the framework does by itself.
	Pool string
	// Window is the optional window=: the size to which the receive windows are
	// set, as in "16MiB", "" for what the framework does by itself. Such a
	// variant is measured by Stream and Bulk alone: small messages do not fill a
	// window.
	Window string
	// About says how both sides are set up, beyond what the keys say: clauses with
	// "; " between them. One that several variants of a framework have, word for
	// word, is printed once for all of them.
	About string

	// Recommended marks the one variant of a framework that stands for it in
	// the default set.
	Recommended bool
	// Kind is what the variant carries, and so what is checked of it.
	Kind Kind
	// Rank is what the variant's results are compared as.
	Rank Rank
	// StandIn marks a framework whose servers are the users', see the flag
	// -server. Serve starts one that stands in for them in the conformance test,
	// and is not measured.
	StandIn bool
	// Sharing says how callers come to a connection.
	Sharing Sharing
	// Async says that the client is an AsyncClient.
	Async bool
	// Streams says that the client is a StreamClient.
	Streams bool
	// MaxMessage is the largest echo payload in bytes that both sides are set
	// up to carry; 0 means that no limit is known.
	MaxMessage int
	// CallLimit is how long the framework itself lets a call take, whatever its
	// context says; 0 means that the context decides.
	CallLimit time.Duration
	// Modules are the modules whose versions decide what this variant
	// measures, the framework's own first; empty for the standard library.
	Modules []string
	// Races are the data races of the framework itself.
	Races Races

	// Serve listens on addr ("127.0.0.1:0" for any free port) and answers
	// until the server is closed. It is called in the server's process.
	Serve func(addr string) (Server, error)
	// Dial makes a client of the server at addr. It is called in the client's
	// process.
	Dial func(addr string, o DialOptions) (Client, error)
	// DialAll is Dial for several servers that do the same, among which the
	// framework's own load balancing chooses; DialOptions.Conns connections to
	// each. nil: the framework has none.
	DialAll func(addrs []string, o DialOptions) (Client, error)
}

// Kind is what a variant carries. It decides which client it has and which
// checks it must pass.
type Kind int

const (
	// Fields are messages with fields, methods and handler errors. The client
	// is a MessageClient.
	Fields Kind = iota
	// Bytes go past the serializer, with methods and handler errors: codec=raw.
	// The client is a MethodClient.
	Bytes
	// Bare are bytes without methods, fields or handlers. The client is a Client.
	Bare
)

// Rank is what the results of a variant are compared as.
type Rank int

const (
	// Ranked is a framework that is compared with the others.
	Ranked Rank = iota
	// Reference is what the others are compared with: raw TCP.
	Reference
	// Ours speaks the protocol of a framework by code written in this project,
	// so that its results are not those of the framework.
	Ours
)

// Races are data races that a framework has in its own code. Under the race
// detector the conformance test leaves out what would report them.
type Races struct {
	// Ending says which races there are in the client when a context ends, a
	// client is closed or a server dies; "" for none.
	Ending string
	// Calls says which races there are in calls themselves; "" for none.
	Calls string
}

// ID names a variant as its keys do, the optional ones last:
// framework=…/transport=…/codec=…/profile=…
func (v Variant) ID() string { return v.Keys() + v.OptionalKeys() }

// Keys are those that every variant has.
func (v Variant) Keys() string {
	return "framework=" + v.Framework + "/transport=" + v.Transport + "/codec=" + v.Codec
}

// OptionalKeys are the others that a variant has, each after a slash. On a line
// they come last.
func (v Variant) OptionalKeys() (keys string) {
	if v.Profile != "" {
		keys += "/profile=" + v.Profile
	}
	if v.Pool != "" {
		keys += "/pool=" + v.Pool
	}
	if v.Window != "" {
		keys += "/window=" + v.Window
	}
	return keys
}

// Fits reports as an error, which names the limit, that a variant cannot carry
// an echo payload of this size.
func (v Variant) Fits(size int) error {
	if v.MaxMessage > 0 && size > v.MaxMessage {
		return fmt.Errorf("a payload of %d bytes is over the largest of %s, %d bytes", size, v.ID(), v.MaxMessage)
	}
	return nil
}

// Sharing is how the callers of a client come to a connection.
type Sharing int

// The connection models of frameworks.
const (
	// Fixed: DialOptions.Conns connections, each worker has its calls on one.
	Fixed Sharing = iota
	// Mux: DialOptions.Conns connections that the framework itself deals out.
	Mux
	// Pooled: a connection is borrowed for each call, at most
	// DialOptions.Callers are open.
	Pooled
	// Short: a connection is opened for each call.
	Short
)

// DialOptions is the connection budget of a client.
type DialOptions struct {
	Conns   int // connections of a shared transport, > 0
	Callers int // most calls in flight at once, > 0: the size of a pool
}
