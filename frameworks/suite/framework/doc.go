// Package framework is the contract between the suite and what it measures: an
// adapter of an RPC framework implements it, and imports nothing else of the
// suite.
//
// An adapter is a package with one exported function, Variants, which lists the
// framework in the configurations that are measured. A Variant names itself by
// the keys of its benchmark lines, says what its clients can do, and brings two
// functions: Serve, which is called in a process of the server's own, and Dial,
// which is called in the client's.
//
// # The server
//
// Serve listens on the address it is given and returns when calls can be made.
// Its methods depend on Variant.Kind and Variant.Streams:
//
//   - echo decodes an EchoMessage, hands its Action to HandleEcho, whose error
//     is the method's, and sends both fields back;
//   - message, of Kind Fields, decodes the bench message, sets field1 and field2
//     to AnswerField1 and AnswerField2, and sends the message back;
//   - fail, of Kind Bytes, whose messages have no Action, returns the error of
//     HandleEcho(ActionFail);
//   - stream, with Streams, hands every message to a StreamHandler, and sends what
//     that answers.
//
// How an error reaches the client is the framework's way, as long as its text
// does. One that ends a stream reaches a client that is still sending, too. What
// the framework limits, such as the size of a message, is lifted on both sides
// where that is possible, and said in Variant.MaxMessage where it is not.
//
// # The client
//
// Dial returns a Client within its budget: DialOptions.Conns connections where
// callers share them, and at most DialOptions.Callers where each call has one for
// itself, see Sharing. They are open when Dial returns, or after the first call of
// each worker, which is a warm-up. More than echo calls is in further
// interfaces, which depend on Variant.Kind, Variant.Async and Variant.Streams.
// The conformance test holds that a client implements those that its variant
// promises, and no others.
//
// Echo, EchoAsync and Message are called before the clock starts; the functions
// that they return are what is measured. Requests are built beforehand, one for
// each worker. The function encodes, sends, receives, decodes into a fresh
// message, and hands that to the check, whose error it returns. A worker has one
// call at a time, and all workers call at once. A call ends when its context does,
// even if the framework's API takes no context, and a reply that comes too late is
// never taken for another call's. Streams that stay open are opened before the
// clock starts; those that are opened for a transfer are part of it.
//
// # Messages
//
// The bench message has 40 fields, those of rpcx's benchmark; their names,
// Field1 to Field280, are the same in every serializer. An adapter defines it in
// its framework's own way, as an IDL or a struct; Fill fills it, by name.
// An adapter that carries bytes past its serializer is a variant of Kind Bytes
// and has no bench message.
//
// # The proof
//
// A table of variants and a few lines make a package that proves and measures
// them, see package suite. Nothing is measured that has not passed
//
//	go test -run Conformance .
package framework
