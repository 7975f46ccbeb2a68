// Package framework is what the author of an RPC framework implements to have it tested and
// measured by package suite: the contract between the suite and the adapters of frameworks.
//
// An adapter is a package with one exported function, Variants, which lists the
// framework in the configurations that are measured. A Variant is named by the Keys
// of its benchmark lines, and says what its clients can do, see Abilities. It has two
// functions: Serve is called in the server's process, and Dial in the client's.
//
// The packages below help an adapter, which imports nothing else of the suite:
//
//   - handler answers the calls and streams that a server gets;
//   - message has the bench message, and messages of a user's own;
//   - layer has TLS, compression, tracing and interceptors, for adapters that offer them;
//   - metadata has entries that calls carry beside their messages;
//   - count counts calls that are answered without handler;
//   - address tells addresses of TCP from those of Unix sockets.
//
// # The server
//
// Serve listens on the address it is given and returns when calls can be made.
// Its methods depend on Variant.Kind and Variant.Streams:
//
//   - echo decodes an EchoMessage, calls handler.Echo with both its fields, and sends
//     the action and handler.Echo's reply back, or returns handler.Echo's error;
//   - message, for Kind Fields, decodes the bench message, sets field1 and field2
//     to message.AnswerField1 and AnswerField2, and sends the message back;
//   - an echo of bytes, for Kind Bytes and Bare, calls count.Call;
//   - fail, for Kind Bytes, whose messages have no Action, returns the error of
//     handler.Echo for handler.ActionFail;
//   - stream, with Streams, passes every message to a handler.Stream, which sends the
//     answers, and calls End when no more messages come.
//
// The framework decides how an error reaches the client, but the error's text must
// reach it. An error that ends a stream must also reach a client that is still
// sending. Limits of the framework, such as the size of a message, are lifted on
// both sides where possible; elsewhere Variant.MaxMessage states the limit.
//
// # The client
//
// Dial returns a Client that keeps to its budget: DialOptions.Conns connections
// where callers share them, and at most DialOptions.Callers where each call has a
// connection for itself, see Sharing. The connections are open when Dial returns, or
// after the first call of each worker, which is a warm-up. Everything but Echo is in
// further interfaces, which depend on Variant.Kind, Variant.Async and
// Variant.Streams. The conformance test checks that a client implements those that
// its variant promises, and no others.
//
// Echo, EchoAsync and Message are called before the clock starts; the functions
// that they return are measured. They build the requests beforehand, one for each
// worker. The returned function encodes, sends, receives, decodes into a fresh
// message, and passes that to the check, whose error it returns. A worker makes one
// call at a time, and all workers call at once. A call ends when its context ends,
// even if the framework's API takes no context. A reply that comes too late must not
// be taken for the reply to another call. Streams that stay open are opened before
// the clock starts; opening a stream for a single transfer is measured.
//
// # Messages
//
// The bench message is the one of rpcx's benchmark. Its 40 fields, Field1 to
// Field280, have the same names in every serializer. An adapter defines it in its
// framework's own way, by an IDL or a struct, such as message.Bench; message.Fill fills the
// fields by name. The conformance test wants all of them. A variant that sends bytes
// without the serializer has Kind Bytes and no bench message.
//
// A variant can send messages of a user's own instead. They are a message.Exchange, which
// makes the requests and the replies, and Variant.Sent describes it to the suite.
//
// # The proof
//
// A table of variants and a few lines make a package that tests and measures them,
// see package suite. Before anything is measured it must pass
//
//	go test -run Conformance .
package framework
