package rig

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// replies keeps the last reply of each worker. Its length and its action are compared
// during the call, its payload when the end of the call has been stamped.
type replies []keptReply

// keptReply is a worker's reply beside the one that it must be.
type keptReply struct {
	got  []byte
	kept bool
	next stretch
	want framework.EchoMessage
	_    [48]byte // workers on other CPUs write their own cache lines
}

func newReplies(requests []framework.EchoMessage) replies {
	r := make(replies, len(requests))
	for worker, request := range requests {
		k := &r[worker]
		k.want = expected(request)
		k.next = startOf(worker, len(k.want.Msg))
	}
	return r
}

// expected returns the right reply to a request.
func expected(request framework.EchoMessage) framework.EchoMessage {
	return framework.EchoMessage{Action: request.Action, Msg: framework.ReplyTo(request)}
}

// keep is the EchoCheck.
func (r replies) keep(worker int, reply framework.EchoMessage) error {
	k := &r[worker]
	if len(reply.Msg) != len(k.want.Msg) {
		return k.otherLength(len(reply.Msg))
	}
	if reply.Action != k.want.Action {
		return errWrongReply
	}
	k.got, k.kept = reply.Msg, true
	return nil
}

// forget forgets a reply whose call has failed after keep.
func (r replies) forget(worker int) { r[worker].kept = false }

func (k *keptReply) otherLength(n int) error {
	return wrongReply(fmt.Sprintf("reply: %d bytes, want %d", n, len(k.want.Msg)))
}

// compare returns an error unless the payload kept is the right one. Of a large one it
// compares a part, see stretch.
func (r replies) compare(worker int) error {
	k := &r[worker]
	if !k.kept {
		return errNoReply
	}
	return k.judge(k.next.equal(k.got, k.want.Msg))
}

// compareWhole compares every byte of payloads of any size.
func (r replies) compareWhole(worker int) error {
	k := &r[worker]
	if !k.kept {
		return errNoReply
	}
	return k.judge(bytes.Equal(k.got, k.want.Msg))
}

// judge forgets the reply, so that its memory can be freed before the next one comes.
func (k *keptReply) judge(equal bool) error {
	k.got, k.kept = nil, false
	if !equal {
		return errWrongReply
	}
	return nil
}

// whatWasSent ends the errors of replies that came whole and are wrong.
const whatWasSent = "not what was sent"

// wrongReply is the error of a reply that came whole and is not what was sent.
type wrongReply string

func (w wrongReply) Error() string { return string(w) }

const errWrongReply = wrongReply("reply: " + whatWasSent)

var errNoReply = errors.New("reply: the client handed none to the check")

// CheckAll returns an EchoCheck that compares whole replies during the call.
func CheckAll(requests []framework.EchoMessage) framework.EchoCheck {
	return func(worker int, reply framework.EchoMessage) error {
		return compareNow(expected(requests[worker]), reply)
	}
}

// compareNow compares all of a reply.
func compareNow(want, reply framework.EchoMessage) error {
	one := replies{{want: want}}
	if err := one.keep(0, reply); err != nil {
		return err
	}
	return one.compareWhole(0)
}
