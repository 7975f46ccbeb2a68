// Package handler answers the calls and streams that the suite makes, for the servers of
// adapters.
//
// A server decodes a request, has Echo or a Stream answer it, and encodes what they return: it
// need not know what the suite asks for. Actions are named for the few that send bytes without a
// serializer, and for tests.
package handler

import (
	"bytes"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// Echo is called by every handler of echo with the Action and the Msg of its
// request. The handler sends the action back, and reply as the Msg, or returns the error.
// Echo may change msg in place. The reply is msg itself, or memory of its own. Many goroutines
// may call Echo at once.
func Echo(action string, msg []byte) (reply []byte, err error) {
	reply, err = echo(action, msg)
	count.Call()
	return reply, err
}

func echo(action string, msg []byte) (reply []byte, err error) {
	switch action {
	case ActionEcho, "":
		return msg, nil
	case ask.Invert:
		ask.Flip(msg)
		return msg, nil
	case ActionFail:
		return nil, ErrAsked
	}
	if n, rest, ok := ask.CutReply(action); ok {
		if _, err := echo(rest, msg); err != nil {
			return nil, err
		}
		return bytes.Clone(ask.PartOf(msg, n)), nil // frameworks may use the memory of a reply again
	}
	return msg, work(action)
}

// serving is the work of this server process. It is a package variable, because
// frameworks call handlers without an argument of ours.
var serving struct {
	action string // "" in a process without work
	do     func() error
}

// ServeWork has Echo call do for calls that ask for the workload of this name, which is the
// only one from then on. It is called before the server of the process starts. The suite calls
// it; adapters need not.
func ServeWork(workload string, do func() error) {
	serving.action, serving.do = ask.Work(workload), do
}

// work does the work that action asks for.
func work(action string) error {
	if action != serving.action {
		return fmt.Errorf("%w: the action %.64q is not known, or is work that this server was not started with", ErrNotImplemented, action)
	}
	return serving.do()
}
