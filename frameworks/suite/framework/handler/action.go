package handler

import (
	"errors"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// Actions of an EchoMessage, which say what the handler has to do with its Msg. There are
// others, which begin with a word and a slash: Echo and Stream know them all.
const (
	ActionEcho = "echo" // Msg comes back; so it does for ""
	ActionFail = "fail" // the handler returns ErrAsked, which also ends a stream
)

// Further actions of the messages of a stream.
const (
	ActionSink = "sink" // the message is not answered
	ActionSum  = "sum"  // the answer is a checksum of what was received so far
	// ActionPushed is of messages that the server sends on, many for one that it was sent.
	ActionPushed = "pushed"
)

// ErrAsked is the error of every handler for ActionFail. Frameworks wrap it in
// types of their own, so clients look for its text.
var ErrAsked = errors.New("rpcbench: the request asked for this error")

// ErrNotImplemented is the error of a server that lacks what was asked for, such as a
// workload. Clients look for its text, as for that of ErrAsked.
var ErrNotImplemented = errors.New("rpcbench: not implemented")

// Alters reports whether the reply to an action has another Msg than the request, so that a
// server which can send the request's bytes back has to decode them after all.
func Alters(action string) bool { return action == ask.Invert || ask.IsReply(action) }

// Subscribes reports whether an action makes a stream one to which messages are sent at any
// time from then on, so that a server with a buffer flushes each of them.
func Subscribes(action string) bool { return ask.IsSubscribe(action) }
