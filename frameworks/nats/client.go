package nats

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/nats/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/nats/internal/sending"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client)(nil)

// client shares its connections among all workers.
type client struct {
	conns []*conn
	calls *metadata.Calls // of none, if calls carry no metadata
}

// conn is a connection to the broker.
type conn struct {
	*nats.Conn
	dialer dialer
}

func dial(addr string, s layer.Stack, o framework.DialOptions) (framework.Client, error) {
	c := &client{calls: s.Metadata.Calls()}
	for range o.Conns {
		opened := new(conn)
		var err error
		if opened.Conn, err = connect(addr, s, o, &opened.dialer); err != nil {
			return nil, errors.Join(fmt.Errorf("nats: %w", err), c.Close())
		}
		c.conns = append(c.conns, opened)
	}
	return c, nil
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	callers := c.callers(len(requests))
	natives := framework.NewNatives(requests, newEcho)
	return func(ctx context.Context, worker int) error {
		reply := new(pb.EchoMessage)
		if err := callers[worker].call(ctx, methodEcho, natives.Of(worker), reply); err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Action: reply.Action, Msg: reply.Msg})
	}
}

func newEcho(m framework.EchoMessage) *pb.EchoMessage {
	return &pb.EchoMessage{Action: m.Action, Msg: m.Msg}
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	callers, natives := c.callers(workers), message.NewRequests[pb.BenchMessage](workers)
	return func(ctx context.Context, worker int) error {
		reply := new(pb.BenchMessage)
		if err := callers[worker].call(ctx, methodMessage, natives.Of(worker), reply); err != nil {
			return err
		}
		natives.Done(worker)
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.callers(1)[0].call(ctx, methodUnknown, new(pb.EchoMessage), new(pb.EchoMessage))
}

// Close implements framework.Client. It closes the connections before NATS's own, which
// wait for a request that is being sent.
func (c *client) Close() error {
	for _, conn := range c.conns {
		conn.dialer.conn.Close() // fails if NATS or a guard has closed it
		conn.Conn.Close()
	}
	return nil
}

func (c *client) callers(workers int) []caller {
	callers := make([]caller, workers)
	for worker := range callers {
		conn := c.conns[worker%len(c.conns)]
		callers[worker].conn, callers[worker].calls, callers[worker].guard.Close = conn, c.calls, func() { conn.dialer.conn.Close() }
	}
	return callers
}

// caller makes the calls of one worker.
type caller struct {
	conn  *conn
	calls *metadata.Calls
	guard sending.Guard
	watch sending.Watch
}

// call makes a call and reads its reply.
func (c *caller) call(ctx context.Context, method string, req, reply proto.Message) error {
	body, err := proto.Marshal(req)
	if err != nil {
		return err
	}
	subject := service + "." + method
	sent := c.calls.Next()
	answer, err := c.request(ctx, subject, body, sent)
	if err != nil {
		return explained(err, subject)
	}
	if failure := answer.Header.Get(micro.ErrorHeader); failure != "" {
		return errors.New("nats: " + answer.Header.Get(micro.ErrorCodeHeader) + ": " + failure)
	}
	if err := sent.Check(metadata.Lists(answer.Header)); err != nil {
		return err
	}
	return proto.Unmarshal(answer.Data, reply)
}

// explained says of a call that nobody took what there is to do. NATS's own text names
// neither the broker nor the subject.
func explained(err error, subject string) error {
	if !errors.Is(err, nats.ErrNoResponders) {
		return err
	}
	return fmt.Errorf("the broker answers, but nobody has subscribed to %s: connect the service to this broker, and try again: %w", subject, err)
}

// request is a request that ends with its context, even while it is being sent: NATS then
// holds a lock. A context with a deadline belongs to this call only, so a goroutine makes
// the call and may be left behind. The end of a context without a deadline ends the whole
// run, so the connection is then closed.
func (c *caller) request(ctx context.Context, subject string, body []byte, e metadata.Entries) (*nats.Msg, error) {
	if _, ok := ctx.Deadline(); ok {
		return sending.Leaving(ctx, func() (*nats.Msg, error) { return c.send(ctx, subject, body, e) })
	}
	c.watch.Over(ctx, &c.guard)
	c.guard.Begin()
	defer c.guard.End()
	if err := ctx.Err(); err != nil { // it may have ended before Begin, unseen by the guard
		return nil, err
	}
	return c.send(ctx, subject, body, e)
}

// send sends a request, with headers if there are entries, and waits for its reply.
func (c *caller) send(ctx context.Context, subject string, body []byte, e metadata.Entries) (*nats.Msg, error) {
	if e.Len() == 0 {
		return c.conn.RequestWithContext(ctx, subject, body)
	}
	return c.conn.RequestMsgWithContext(ctx, messageOf(subject, body, e))
}
