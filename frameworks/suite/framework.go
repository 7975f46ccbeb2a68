package suite

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
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
	// About says in a line how both sides are set up, beyond what the keys say.
	About string

	// Recommended marks the one variant of a framework that stands for it in
	// the default set.
	Recommended bool
	// Reference marks a row that carries bytes and has no methods, fields or
	// handlers: raw TCP. Its client needs to implement Client only.
	Reference bool
	// Raw marks codec=raw: bytes without fields, past the serializer, though
	// with methods and handler errors. Its client is a MethodClient.
	Raw bool
	// StandIn marks a framework whose servers are the users', see -server. Serve
	// starts one that stands in for them in the conformance test, and is not
	// measured.
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
	// Races says which data races the framework itself has in its client when a
	// context ends, a client is closed or a server dies. Under the race
	// detector the conformance test then leaves these out; empty for none.
	Races string
	// RacesAlways says which data races the framework has in calls themselves.
	// Under the race detector the conformance test then leaves it out; empty for
	// none.
	RacesAlways string

	// Serve listens on addr ("127.0.0.1:0" for any free port) and answers
	// until the server is closed. It is called in the server's process.
	Serve func(addr string) (Server, error)
	// Dial makes a client of the server at addr, with all its shared
	// connections open when it returns. It is called in the client's process.
	Dial func(addr string, o DialOptions) (Client, error)
	// DialAll is Dial for several servers that do the same, among which the
	// framework's own load balancing chooses; DialOptions.Conns connections to
	// each. nil: the framework has none.
	DialAll func(addrs []string, o DialOptions) (Client, error)

	given string // host:port of a server that is not ours, see -server; "" for none
}

// ID names a variant as its keys do, the optional ones last:
// framework=…/transport=…/codec=…/profile=…
func (v Variant) ID() string { return v.base() + v.options() }

// base is the keys that every variant has.
func (v Variant) base() string {
	return strings.Join([]string{"framework=" + v.Framework, "transport=" + v.Transport, "codec=" + v.Codec}, "/")
}

// options are the optional keys of a variant, each after a slash. On a line
// they come last.
func (v Variant) options() (keys string) {
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

// Server is a running server of one variant.
type Server interface {
	Addr() string // host:port it listens on
	Close() error // stops listening and drops its connections
}

// Client is a client of one server, safe for all its workers at once.
type Client interface {
	// Echo builds one native request per element of requests and returns the
	// call that sends requests[worker], decodes the answer into a fresh native
	// reply and hands it to check, whose error is the call's error. The call
	// ends by ctx, whether or not the framework's API knows contexts. It may
	// not change requests[i].Msg; check may keep the
	// reply's Msg until the worker's next call.
	Echo(requests []EchoMessage, check EchoCheck) loadgen.Call
	// Close closes the connections; calls under way fail.
	Close() error
}

// MethodClient is what the client of every variant but a Reference is.
type MethodClient interface {
	Client
	// CallUnknown calls a method the server does not have, and returns the
	// framework's error.
	CallUnknown(ctx context.Context) error
}

// MessageClient is what the client of every variant but a Reference and a Raw
// one is.
type MessageClient interface {
	MethodClient
	// Message is Echo for the bench message: one native request per worker
	// (see Fill), to which the server sets field1 and field2 (see AnswerField1, AnswerField2).
	Message(workers int, check MessageCheck) loadgen.Call
}

// AsyncClient is a client whose framework can start a call without waiting for
// its reply.
type AsyncClient interface {
	Client
	// EchoAsync is Echo by that API. The framework calls done, or the adapter
	// does from a goroutine that waits for the replies of many calls.
	EchoAsync(requests []EchoMessage, check EchoCheck) loadgen.AsyncCall
}

// EchoMessage is the logical message of Echo: the server sends both fields
// back, or fails when HandleEcho(Action) does.
type EchoMessage struct {
	Action string
	Msg    []byte
}

// EchoCheck judges the reply to a worker's request. Benchmarks compare the
// length and a few bytes, the conformance test every byte.
type EchoCheck func(worker int, reply EchoMessage) error

// MessageCheck judges the reply to a worker's bench message: field1 and
// field2 as the native reply holds them, and a pointer to the native reply or
// a Structured.
type MessageCheck func(worker int, field1 string, field2 int32, reply any) error

// Structured is a native bench message that is no struct, such as a map or
// text. Only the conformance test asks for one.
type Structured interface {
	// Struct returns a pointer to a struct that has the message's fields.
	Struct() any
}

// Actions of an EchoMessage.
const (
	ActionEcho = "echo"
	ActionFail = "fail" // the handler returns ErrAsked
)

// ErrAsked is what every echo handler returns for ActionFail. Frameworks wrap
// it in types of their own, so clients look for its text.
var ErrAsked = errors.New("rpcbench: the request asked for this error")

// HandleEcho is the work of every echo handler after its request was decoded.
// Its error is the handler's.
func HandleEcho(action string) error {
	switch action {
	case ActionEcho, "":
		return nil
	case ActionFail:
		return ErrAsked
	}
	return work(action)
}
