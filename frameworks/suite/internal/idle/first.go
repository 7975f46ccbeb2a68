package idle

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
	"github.com/rpcbench/rpcbench/loadgen"
)

// calling is how many first calls are in flight on connections that callers share.
const calling = 16

// first is the first calls of a client.
type first struct {
	client   framework.Client
	call     loadgen.Call
	conns    int
	patience time.Duration
}

var errReply = errors.New("reply: it is not what was sent")

// newFirst makes the calls of a client with a number of connections. They share a payload,
// so that requests take little memory.
func newFirst(c framework.Client, conns, size int, patience time.Duration) first {
	payload := bytes.Repeat([]byte{'x'}, size)
	requests := make([]framework.EchoMessage, conns)
	for i := range requests {
		requests[i] = framework.EchoMessage{Action: handler.ActionEcho, Msg: payload}
	}
	return first{c, c.Echo(requests, func(_ int, reply framework.EchoMessage) error {
		if !bytes.Equal(reply.Msg, payload) {
			return errReply
		}
		return nil
	}), conns, patience}
}

// together has one worker for each connection call, all at once.
func (f first) together() error { return f.by(f.conns, f.conns) }

// each has a call on each connection. Where the framework chooses the connection, which it
// does in turns, there are twice as many, to be sure.
func (f first) each(s framework.Sharing) error {
	if s == framework.Mux {
		return cmp.Or(f.by(calling, f.conns), f.by(calling, f.conns))
	}
	return f.by(calling, f.conns)
}

// by makes a call of each worker, some of them at once. Calls that take too long are ended
// by closing the client: a context that can end would leave memory with some connections.
func (f first) by(atOnce, workers int) error {
	late := time.AfterFunc(f.patience, func() { f.client.Close() })
	err := limit.Time(f.patience+closing, func() error { return f.all(atOnce, workers) })
	if !late.Stop() {
		err = fmt.Errorf("not all were answered within %v: %v", f.patience, err)
	}
	return err
}

// closing is how long calls may go on when their client was closed.
const closing = 10 * time.Second

func (f first) all(atOnce, workers int) error {
	errs := make([]error, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(atOnce, workers) {
		wg.Go(func() {
			for w := int(next.Add(1)) - 1; w < workers; w = int(next.Add(1)) - 1 {
				errs[w] = f.call(context.Background(), w)
			}
		})
	}
	wg.Wait()
	return cmp.Or(errs...) // the first error is enough
}
