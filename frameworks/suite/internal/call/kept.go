package call

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Kept keeps the replies of Echo for as long as clients must leave them alone.
type Kept struct {
	Replies
	echo loadgen.Call
}

// NewKept makes Echo's call of requests.
func NewKept(c framework.Client, requests []framework.EchoMessage) *Kept {
	k := &Kept{Replies: newReplies(requests)}
	k.echo = c.Echo(requests, func(worker int, reply framework.EchoMessage) error {
		if len(reply.Msg) > 0 && unsafe.SliceData(reply.Msg) == unsafe.SliceData(requests[worker].Msg) {
			return errors.New("reply: it is the request's own memory")
		}
		return k.Keep(worker, reply)
	})
	return k
}

// Call is a loadgen.Call. It first compares the whole reply to the worker's call
// before, if there was one: other workers have called in between.
func (k *Kept) Call(ctx context.Context, worker int) error {
	if k.Replies[worker].kept {
		if err := k.Compare(worker); err != nil {
			return err
		}
	}
	k.Begin(worker)
	if err := k.echo(ctx, worker); err != nil {
		return err
	}
	if !k.Replies[worker].kept {
		return ErrNoReply
	}
	return nil
}

// Compare compares the reply to the worker's last call.
func (k *Kept) Compare(worker int) error {
	if err := k.compareWhole(worker); err != nil {
		return fmt.Errorf("before the worker's next call: %w", err)
	}
	return nil
}

// KeptAsync makes the asynchronous call of requests, and the loadgen.Config.Check that
// compares what it kept.
func KeptAsync(c framework.AsyncClient, requests []framework.EchoMessage) (loadgen.AsyncCall, func(worker int) error) {
	return keptAsync(c, requests, newReplies(requests))
}

func keptAsync(c framework.AsyncClient, requests []framework.EchoMessage, replies Replies) (loadgen.AsyncCall, func(worker int) error) {
	r := lateReplies{replies, make([]slot, len(requests))}
	call := c.EchoAsync(requests, r.keep)
	return func(ctx context.Context, worker int, done func(error)) {
		r.begin(worker)
		call(ctx, worker, done)
	}, r.compare
}
