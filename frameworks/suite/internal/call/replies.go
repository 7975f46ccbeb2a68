package call

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// Replies keeps the last reply of each worker. Its length and its action are compared
// during the call, its payload when the end of the call has been stamped.
type Replies []keptReply

// keptReply is a worker's reply beside the one that it must be.
type keptReply struct {
	got  []byte
	kept bool
	next stretch
	want atomic.Pointer[framework.EchoMessage] // whose Msg has the right length, and other bytes if it is of an ActionReply
	turn turn
	_    [16]byte // workers on other CPUs write their own cache lines
}

// newReplies makes the replies to requests, each of which begins with a number and is in memory
// of its own.
func newReplies(requests []framework.EchoMessage) Replies {
	turns := make([]turn, len(requests))
	for i := range requests {
		turns[i].request = &requests[i]
	}
	return repliesTo(turns)
}

// Replies makes the requests and what keeps their replies.
func (q Requests) Replies() ([]framework.EchoMessage, Replies) {
	requests, turns := q.turns()
	return requests, repliesTo(turns)
}

func repliesTo(turns []turn) Replies {
	r := make(Replies, len(turns))
	for worker := range r {
		k := &r[worker]
		k.turn = turns[worker]
		want := expected(*k.turn.request)
		k.want.Store(&want)
		k.next = startOf(worker, len(want.Msg))
	}
	return r
}

// Begin changes the worker's request for its next call, and forgets the reply to the last
// one, which was not compared if the call failed after keep.
func (r Replies) Begin(worker int) {
	r.forget(worker)
	r.change(worker)
}

// change changes the worker's request, and what its reply must be.
func (r Replies) change(worker int) {
	k := &r[worker]
	unsure := k.turn.unsure
	if k.turn.next(); !unsure && k.turn.array == nil {
		return
	}
	want := k.want.Load()
	msg := k.turn.request.Msg
	if ask.IsReply(want.Action) {
		msg = want.Msg // which has the length
	}
	if unsure { // a late reply may be compared with the old one
		k.want.Store(&framework.EchoMessage{Action: want.Action, Msg: msg})
		return
	}
	want.Msg = msg
}

// wanted returns the payload that the reply must have.
func (k *keptReply) wanted() []byte {
	want := k.want.Load()
	if ask.IsReply(want.Action) {
		return ask.ReplyTo(k.turn.request.Action, k.turn.request.Msg)
	}
	return want.Msg
}

// expected returns the right reply to a request.
func expected(request framework.EchoMessage) framework.EchoMessage {
	return framework.EchoMessage{Action: request.Action, Msg: ask.ReplyTo(request.Action, request.Msg)}
}

// Keep is the EchoCheck.
func (r Replies) Keep(worker int, reply framework.EchoMessage) error {
	k := &r[worker]
	want := k.want.Load()
	if len(reply.Msg) != len(want.Msg) {
		return otherLength(len(reply.Msg), len(want.Msg))
	}
	if reply.Action != want.Action {
		return ErrWrongReply
	}
	k.got, k.kept = reply.Msg, true
	return nil
}

// forget forgets a reply whose call has failed after keep.
func (r Replies) forget(worker int) { r[worker].kept = false }

func otherLength(got, want int) error {
	return wrongReply(fmt.Sprintf("reply: %d bytes, want %d", got, want))
}

// Compare returns an error unless the payload kept is the right one. Of a large one it
// compares a part, see stretch.
func (r Replies) Compare(worker int) error {
	k := &r[worker]
	if !k.kept {
		return ErrNoReply
	}
	return k.judge(k.next.equal(k.got, k.wanted()))
}

// compareWhole compares every byte of payloads of any size.
func (r Replies) compareWhole(worker int) error {
	k := &r[worker]
	if !k.kept {
		return ErrNoReply
	}
	return k.judge(bytes.Equal(k.got, k.wanted()))
}

// judge forgets the reply, so that its memory can be freed before the next one comes.
func (k *keptReply) judge(equal bool) error {
	k.got, k.kept, k.turn.unsure = nil, false, false
	if !equal {
		return ErrWrongReply
	}
	return nil
}

// WhatWasSent ends the errors of replies that came whole and are wrong.
const WhatWasSent = "not what was sent"

// wrongReply is the error of a reply that came whole and is not what was sent.
type wrongReply string

func (w wrongReply) Error() string { return string(w) }

// ErrWrongReply is the error of a reply with another payload or action than its request's.
const ErrWrongReply = wrongReply("reply: " + WhatWasSent)

// ErrNoReply is the error of a client that says that a call succeeded and hands out no reply.
var ErrNoReply = errors.New("reply: the client handed none to the check")

// CheckAll returns an EchoCheck that compares whole replies during the call.
func CheckAll(requests []framework.EchoMessage) framework.EchoCheck {
	return func(worker int, reply framework.EchoMessage) error {
		return compareNow(expected(requests[worker]), reply)
	}
}

// compareNow compares all of a reply.
func compareNow(want, reply framework.EchoMessage) error {
	switch {
	case len(reply.Msg) != len(want.Msg):
		return otherLength(len(reply.Msg), len(want.Msg))
	case reply.Action != want.Action || !bytes.Equal(reply.Msg, want.Msg):
		return ErrWrongReply
	}
	return nil
}
