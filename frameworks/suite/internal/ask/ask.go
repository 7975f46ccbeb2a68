// Package ask is what requests ask servers for in their Action, beyond what package handler
// names for adapters: the suite writes these actions, and package handler reads them.
package ask

import (
	"fmt"
	"strconv"
	"strings"
)

// echo and sum are two of package handler's actions.
const (
	echo = "echo"
	sum  = "sum"
)

// Invert asks for a payload that only a server can send: the bits of the request's, inverted.
// The conformance test tells by it whether a client hands out replies or its requests.
const Invert = "invert"

// Flip inverts every bit.
func Flip(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// The beginnings of actions, each with a slash behind it.
const (
	work      = "work"
	reply     = "reply"
	send      = "send"
	publish   = "publish"
	subscribe = "subscribe"
)

// Work is the Action of a call that asks the server for the workload it was started with.
func Work(workload string) string { return work + "/" + workload }

// Number is how many bytes the number of a pushed message takes at the begin of its
// Msg, little-endian. Shorter messages have no number.
const Number = 8

// Send is the Action of a message that the server sends back n times, with
// handler.ActionPushed. The first has the number of the message, each other one the next.
func Send(n int) string { return send + "/" + strconv.Itoa(n) }

// Subscribe makes a stream one of the subscribers of a group, which exists for as long
// as it has subscribers in the server's process. The message comes back once it is one. The
// stream then takes no other message, and is a subscriber until it ends.
func Subscribe(group string) string { return subscribe + "/" + group }

// IsSubscribe reports whether an action is a Subscribe.
func IsSubscribe(action string) bool { return strings.HasPrefix(action, subscribe+"/") }

// Publish sends the Msg of a message with handler.ActionPushed to the first n subscribers of a
// group, and is not answered. The handler waits for subscribers that are 16 messages behind.
// Where there are fewer subscribers, the stream ends with an error.
func Publish(n int, group string) string { return publish + "/" + strconv.Itoa(n) + "/" + group }

// Pushed is what an action has a server send that nobody waits for message by message.
type Pushed struct {
	Kind  Kind
	N     int    // messages to send, or subscribers to publish to
	Group string // of subscribers
}

// Kind is the kind of an action of a stream.
type Kind int

// The kinds of actions of streams.
const (
	Nothing Kind = iota // any other action
	Sends
	Publishes
	Subscribes
)

// ReadPushed reads a Send, a Publish or a Subscribe. Any other action is Nothing.
func ReadPushed(action string) (p Pushed, err error) {
	what, of, _ := strings.Cut(action, "/")
	switch what {
	case send:
		p.Kind = Sends
		if p.N, err = strconv.Atoi(of); err != nil || p.N < 0 {
			return p, fmt.Errorf("stream: the action %.64q must say how many messages are to be sent", action)
		}
	case publish:
		count, group, _ := strings.Cut(of, "/")
		p.Kind, p.Group = Publishes, group
		if p.N, err = strconv.Atoi(count); err != nil || p.N < 0 {
			return p, fmt.Errorf("stream: the action %.64q must say to how many subscribers the message goes", action)
		}
	case subscribe:
		p.Kind, p.Group = Subscribes, of
	}
	return p, nil
}
