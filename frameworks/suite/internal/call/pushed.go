package call

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/push"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Modes in which a server sends messages that are not asked for one by one.
const (
	modeServer = "server" // it answers a request by many messages
	modeFanout = "fanout" // it passes on to all subscribers what one publishes
)

// pushes are the modes. A message is a call.
type pushes struct {
	messages plan.List[int] // of -messages
}

func newPushes() pushes { return pushes{plan.NewList("100", readMessages)} }

func readMessages(s string) (int, error) {
	n, err := value.Positive(s)
	if err == nil && n > push.MostMessages {
		err = fmt.Errorf("%q must be at most %d", s, push.MostMessages)
	}
	return n, err
}

func (p *pushes) register(fs *flag.FlagSet) {
	fs.Var(&p.messages, "messages", "`numbers` of messages that answer a request of Stream and Rate, where -bench names mode=server")
}

// ClosedPushes lists the modes that -bench names for Stream. With mode=server each caller asks
// again when it has all messages, and with mode=fanout the publisher publishes again when all
// callers, who subscribe, have the message.
func (m *Menu) ClosedPushes(o *plan.Options, t plan.Target, size, conc int) (list []plan.Leaf) {
	for _, c := range m.pushes.of(o, t, "Stream", plan.Size{Request: size, Reply: size}, conc) {
		c.Kind = ""
		l := c.Driven(fmt.Sprintf("conc=%d", conc), 0)
		l.Schedule, l.Streams = loadgen.ClosedLoop, 0
		list = append(list, l)
	}
	return list
}

// of lists the modes that -bench names for a benchmark, over n streams.
func (p *pushes) of(o *plan.Options, t plan.Target, benchmark string, size plan.Size, n int) (list []Called) {
	if o.Names(benchmark, modeServer) && t.Streams {
		for _, messages := range p.messages.Values {
			c := pushing(o, t, size, n, messages, n*messages)
			c.optional, c.prepare = fmt.Sprintf("/mode=%s/messages=%d", modeServer, messages), prepareServer(messages)
			list = append(list, c)
		}
	}
	if o.Names(benchmark, modeFanout) && t.Streams {
		c := pushing(o, t, size, n+1, n, n)
		c.Kind, c.optional, c.prepare = fmt.Sprintf("streams=%d", n), "/mode="+modeFanout, prepareFanout
		list = append(list, c)
	}
	return list
}

// pushing is the calls over n streams, of which an arrival makes each, and a closed loop has
// this many under way. All of these may come before the first push is complete.
func pushing(o *plan.Options, t plan.Target, size plan.Size, n, each, underWay int) Called {
	c := EchoOf(t, size)
	c.Kind, c.Streams, c.Workers, c.Each, c.Batch = fmt.Sprintf("streams=%d", n), n, n, each, each
	c.Streamed, c.Endless, c.noRetry = true, true, Numbered
	c.patience = TransferTime(underWay*size.Request) + time.Duration(underWay)*time.Millisecond
	switch {
	case size.Differs():
		c.Lacks = "messages of these streams are as large as the request for them"
	case size.Varies():
		c.Lacks = "messages of these streams have one size"
	case o.Clients > 1:
		c.Lacks = "one process asks for these messages and receives them: leave -clients out"
	}
	return c
}

// prepareServer opens a stream for each worker, whose requests are answered by this many
// messages.
func prepareServer(messages int) preparer {
	return func(ctx context.Context, c framework.Client, q Requests) (Job, error) {
		requests := q.Messages()
		list, err := openAll(ctx, c, q, func(i int, s framework.EchoStream) error {
			return greet(s, framework.EchoMessage{Action: ask.Send(1), Msg: requests[i].Msg}, handler.ActionPushed)
		})
		if err != nil {
			return Job{}, err
		}
		sources := make([]push.Source, q.Workers)
		for i, s := range list {
			sources[i] = push.Source{Stream: s, Msg: bytes.Clone(requests[i].Msg)}
		}
		return pushed(q, messages, ask.Send, sources...), nil
	}
}

// prepareFanout opens a stream for each worker. The last one publishes to the others, of which
// there is one at least. Each client has a group of its own.
func prepareFanout(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	q.Workers = max(q.Workers, 2)
	group, last := fmt.Sprintf("%016x", rand.Uint64()), q.Workers-1
	list, err := openAll(ctx, c, q, func(i int, s framework.EchoStream) error {
		if i == last {
			return greet(s, framework.EchoMessage{Action: handler.ActionEcho}, handler.ActionEcho)
		}
		subscribe := ask.Subscribe(group)
		return greet(s, framework.EchoMessage{Action: subscribe}, subscribe)
	})
	if err != nil {
		return Job{}, err
	}
	action := func(n int) string { return ask.Publish(n, group) }
	source := push.Source{Stream: list[last], Msg: bytes.Clone(q.Messages()[last].Msg), Subscribers: list[:last]}
	return pushed(q, last, action, source), nil
}

// greet sends the first message of a stream, and waits for the answer, which has the action.
func greet(s framework.EchoStream, m framework.EchoMessage, action string) error {
	if err := s.Send(m); err != nil {
		return err
	}
	answer, err := s.Recv()
	if err == nil && answer.Action != action {
		err = fmt.Errorf("stream: the answer to %q is %.64q, want %q", m.Action, answer.Action, action)
	}
	return err
}

// pushed is the job of sources whose pushes are of this many messages.
func pushed(q Requests, messages int, action func(n int) string, sources ...push.Source) Job {
	most, next := action(messages), make([]stretch, max(q.Workers, 1))
	for i := range next {
		next[i] = startOf(i, q.Size)
	}
	l := push.New(push.Config{
		Messages: messages,
		Action: func(n int) string {
			if n == messages {
				return most
			}
			return action(n)
		},
		Equal: func(receiver int, got, want []byte) bool { return next[receiver].equal(got, want) },
	}, sources...)
	return Job{Call: l.Call, Runs: l.Run}
}
