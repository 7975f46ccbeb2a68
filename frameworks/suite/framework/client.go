package framework

import (
	"context"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Server is a running server of one variant.
type Server interface {
	// Addr returns the host:port, or the path of the Unix socket, on which it listens.
	Addr() string
	// Close stops listening and drops the connections. Calls under way may fail.
	Close() error
}

// Client is a client of one server. All its workers call at once.
type Client interface {
	// Echo builds one native request per element of requests and returns the
	// call that sends requests[worker], decodes the answer into a fresh native
	// reply and hands it to check, whose error is the call's error. Workers are numbered
	// from 0. The call must return when ctx ends, even if the framework's API takes no
	// context. It must not change requests[i].Msg.
	//
	// The suite changes requests[i].Msg between the calls of worker i, so that the
	// reply to another call is a wrong one: some of its first 8 bytes, or if the
	// last call failed or the payload is a large one, the memory. Where sizes vary,
	// the length changes as well, unless the variant Converts. A call sends what is
	// there when it begins, see Natives.
	//
	// check may keep the reply until the same worker's next call: until then memory
	// that is used again, or that strings point into, must not change.
	Echo(requests []EchoMessage, check EchoCheck) loadgen.Call
	// Close closes the connections; calls under way fail.
	Close() error
}

// MethodClient is the client of a variant of Kind Bytes, and of Kind Fields.
type MethodClient interface {
	Client
	// CallUnknown calls a method the server does not have, and returns the
	// framework's error.
	CallUnknown(ctx context.Context) error
}

// MessageClient is the client of a variant of Kind Fields.
type MessageClient interface {
	MethodClient
	// Message is Echo for the bench message: one native request per worker
	// (see message.Requests), of which the server sets field1 and field2 (see
	// message.AnswerField1). The request of each call has its message.Number in field22.
	// A variant with Sent has the messages of a message.Exchange instead.
	Message(workers int, check MessageCheck) loadgen.Call
}

// AsyncClient is a client whose framework can start a call without waiting for
// its reply. Its variant says so in Async.
type AsyncClient interface {
	Client
	// EchoAsync is Echo by the framework's asynchronous API. The framework calls
	// done, or the adapter does so from a goroutine that waits for the replies of
	// many calls.
	EchoAsync(requests []EchoMessage, check EchoCheck) loadgen.AsyncCall
}

// StreamClient is a client whose framework has bidirectional streams of
// messages. Its variant says so in Streams.
type StreamClient interface {
	Client
	// OpenStream opens a stream on the connection that the worker's calls use.
	// The stream ends with ctx.
	OpenStream(ctx context.Context, worker int) (EchoStream, error)
}

// EchoStream is an open stream. One goroutine may send while another receives.
// Every message is encoded by the codec of the variant.
type EchoStream interface {
	// Send sends a message. It waits until the framework's flow control lets it.
	// It must not change m.Msg, and must not keep it after it has returned. On a
	// stream that has ended it may return io.EOF; Recv then says why.
	Send(m EchoMessage) error
	// Recv returns the server's next message, in memory that is not used again.
	// After the last message it returns io.EOF.
	Recv() (EchoMessage, error)
	// CloseSend tells the server that no more messages come. The server then ends
	// the stream, and Recv returns io.EOF.
	CloseSend() error
	// Close ends the stream at once, even with messages under way, and frees its
	// resources.
	Close() error
}

// EchoMessage is the logical message of Echo: the server sends the
// action and handler.Echo's reply back, or fails when handler.Echo does.
type EchoMessage struct {
	Action string // what the handler has to do; "" for handler.ActionEcho
	Msg    []byte // the payload, of which nil and empty are the same
}

// EchoCheck judges the reply to a worker's request. Benchmarks keep the reply, and
// compare its bytes when the end of the call has been stamped.
type EchoCheck func(worker int, reply EchoMessage) error

// MessageCheck judges the reply to a worker's bench message: field1 and
// field2 as the native reply holds them, "" and 0 of other messages, and a pointer
// to the native reply or a message.Structured.
type MessageCheck func(worker int, field1 string, field2 int32, reply any) error
