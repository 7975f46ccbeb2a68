package framework

import (
	"errors"
	"strconv"
	"strings"
)

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
	// ActionPushed is of the messages that the server sends for an ActionSend or an
	// ActionPublish.
	ActionPushed = "pushed"
)

// The beginnings of further actions of the messages of a stream.
const (
	actionSend      = "send"
	actionPublish   = "publish"
	actionSubscribe = "subscribe"
)

// PushedNumber is how many bytes the number of a pushed message takes at the begin of its
// Msg, little-endian. Shorter messages have no number.
const PushedNumber = 8

// ActionSend is the Action of a message that the server sends back n times, with
// ActionPushed. The first has the number of the message, each other one the next.
func ActionSend(n int) string { return actionSend + "/" + strconv.Itoa(n) }

// ActionSubscribe makes a stream one of the subscribers of a group, which exists for as long
// as it has subscribers in the server's process. The message comes back once it is one. The
// stream then takes no other message, and is a subscriber until it ends.
func ActionSubscribe(group string) string { return actionSubscribe + "/" + group }

// Subscribes reports whether an action is an ActionSubscribe.
func Subscribes(action string) bool { return strings.HasPrefix(action, actionSubscribe+"/") }

// ActionPublish sends the Msg of a message with ActionPushed to the first n subscribers of a
// group, and is not answered. The handler waits for subscribers that are 16 messages behind.
// Where there are fewer subscribers, the stream ends with an error.
func ActionPublish(n int, group string) string {
	return actionPublish + "/" + strconv.Itoa(n) + "/" + group
}

// ErrAsked is the error of every echo handler for ActionFail. Frameworks wrap it in
// types of their own, so clients look for its text.
var ErrAsked = errors.New("rpcbench: the request asked for this error")

// ErrNotImplemented is the error of a server that lacks what was asked for, such as a
// workload. Clients look for its text, as for that of ErrAsked.
var ErrNotImplemented = errors.New("rpcbench: not implemented")
