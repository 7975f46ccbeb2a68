package framework

import "errors"

// Actions of an EchoMessage.
const (
	ActionEcho = "echo"
	ActionFail = "fail" // the handler returns ErrAsked
	// ActionInvert asks for a payload that only a server can send: the bits of the
	// request's, inverted. The conformance test tells by it whether a client hands out
	// replies or its requests.
	ActionInvert = "invert"
)

// Further actions of the messages of a stream. ActionEcho is answered as in a call,
// and ActionFail ends the stream with ErrAsked.
const (
	ActionSink = "sink" // the message is not answered
	ActionSum  = "sum"  // the answer is the Sum of what was received so far
)

// ErrAsked is the error of every echo handler for ActionFail. Frameworks wrap it in
// types of their own, so clients look for its text.
var ErrAsked = errors.New("rpcbench: the request asked for this error")

// ErrNotImplemented is the error of a server that lacks what was asked for, such as a
// workload. Clients look for its text, as for that of ErrAsked.
var ErrNotImplemented = errors.New("rpcbench: not implemented")
