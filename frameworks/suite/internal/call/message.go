package call

import (
	"context"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// prepareMessage makes calls of Message; sent is nil for the bench message.
func prepareMessage(sent *message.Sent) preparer {
	return func(ctx context.Context, c framework.Client, q Requests) (Job, error) {
		mc, ok := c.(framework.MessageClient)
		switch {
		case ok && sent != nil && sent.Size*q.Workers > mostInMemory:
			return Job{}, fmt.Errorf("%d callers have %d GiB of %s in memory, which is too much: have fewer by -conc or -rate-workers", q.Workers, sent.Size*q.Workers>>30, sent.Name)
		case !ok:
			return prepareEcho(ctx, c, q)
		case sent == nil:
			a := newAnswers(q.Workers)
			return Job{Call: afresh(a.begin, mc.Message(q.Workers, a.keep)), Check: a.compare}, nil
		}
		return PrepareSent(mc, *sent, q.Workers, callsPerWhole), nil
	}
}

// mostInMemory bounds the requests of all callers in bytes: each has one of its own at least.
const mostInMemory = 4 << 30

// PrepareSent makes calls of Message with messages of a user's own. Of every n-th reply to a
// worker all is compared.
func PrepareSent(c framework.MessageClient, sent message.Sent, workers, n int) Job {
	k := &keptMessages{kept: make([]keptMessage, workers), compareReply: sent.Comparer(workers), wholes: n}
	return Job{Call: k.calls(c.Message(workers, k.keep)), Check: k.compare}
}

// keptMessages keeps the last reply to each worker, which is compared when the end of the
// call has been stamped.
type keptMessages struct {
	kept         []keptMessage // by worker
	compareReply func(worker, call int, reply any, whole bool) error
	wholes       int // of this many replies to a worker one is compared whole
}

type keptMessage struct {
	reply any
	begun int      // calls
	_     [40]byte // workers on other CPUs write their own cache lines
}

// calls counts a call, and forgets the reply to the worker's last one.
func (k *keptMessages) calls(call loadgen.Call) loadgen.Call {
	return afresh(func(worker int) {
		m := &k.kept[worker]
		m.reply = nil
		m.begun++
	}, call)
}

// keep is the framework.MessageCheck.
func (k *keptMessages) keep(worker int, _ string, _ int32, reply any) error {
	k.kept[worker].reply = reply
	return nil
}

// compare returns an error if the reply that is kept is a wrong one.
func (k *keptMessages) compare(worker int) error {
	m := &k.kept[worker]
	reply := m.reply
	m.reply = nil
	if reply == nil {
		return ErrNoReply
	}
	if err := k.compareReply(worker, m.begun, reply, (m.begun-1)%k.wholes == 0); err != nil {
		return fmt.Errorf("%w: %w", ErrWrongReply, err)
	}
	return nil
}
