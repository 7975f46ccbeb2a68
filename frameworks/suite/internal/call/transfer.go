package call

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// DefaultChunk is the size in bytes of the messages of a transfer by stream.
const DefaultChunk = 64 << 10

// TransferTime is how long a transfer of n bytes may take. It allows for 2 MiB/s, a
// tenth of what gzip compresses.
func TransferTime(n int) time.Duration { return time.Duration(n/(2<<20)) * time.Second }

// PrepareTransfer returns the function that prepares the workers of a mode of Bulk.
func PrepareTransfer(mode string) func(context.Context, framework.Client, Requests) (Job, error) {
	switch mode {
	case "stream":
		return prepareStream
	case "stream-new":
		return prepareStreamNew
	case "oneway":
		return prepareTransferOneWay
	default:
		return prepareBytes
	}
}

// Named adds the variant and the size of the transfer to errors.
func (j Job) Named(id string, size int) Job {
	named := func(err error) error {
		if err != nil {
			err = fmt.Errorf("%s: a transfer of %d bytes: %w", id, size, err)
		}
		return err
	}
	call, check := j.Call, j.Check
	j.Call = func(ctx context.Context, worker int) error { return named(call(ctx, worker)) }
	j.Check = func(worker int) error { return named(check(worker)) }
	return j
}

// Transfer makes one transfer of mode "bytes" or "stream" and returns the call, with
// which more can be made. The conformance test cuts connections during it.
func Transfer(ctx context.Context, t plan.Target, c framework.Client, mode string, size int) (call loadgen.Call, err error) {
	j, err := PrepareTransfer(mode)(ctx, c, Requests{Workers: 1, Size: size, Chunk: DefaultChunk})
	return j.Named(t.ID(), size).Call, err
}

// TransferBy makes a single transfer on an open stream.
func TransferBy(s framework.EchoStream, size int) error {
	t := newTransfers(Requests{Workers: 1, Size: size, Chunk: DefaultChunk})[0]
	t.EchoStream = s
	return t.make()
}

var errNotIntact = errors.New("what came back is " + WhatWasSent)

// prepareBytes transfers by calls: the payload is one message.
func prepareBytes(_ context.Context, c framework.Client, q Requests) (Job, error) {
	requests, r := q.Replies()
	return Job{Call: afresh(r.Begin, c.Echo(requests, r.Keep)), Check: r.compareWhole}, nil
}

// transfer is a worker's transfer by a stream.
type transfer struct {
	framework.EchoStream
	turn  turn // changes the payload
	chunk int
	got   [][]byte
	sent  chan error
}

func newTransfers(q Requests) []*transfer {
	list := make([]*transfer, q.Workers)
	_, turns := q.turns()
	for i, t := range turns {
		list[i] = &transfer{turn: t, chunk: q.Chunk, sent: make(chan error, 1)}
	}
	return list
}

// prepareStream transfers by streams that stay open from call to call.
func prepareStream(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	sc, err := As[framework.StreamClient](c)
	if err != nil {
		return Job{}, err
	}
	list := newTransfers(q)
	for i, t := range list {
		if t.EchoStream, err = sc.OpenStream(ctx, i); err != nil {
			return Job{}, err
		}
	}
	call := func(_ context.Context, worker int) error { return list[worker].make() }
	return Job{Call: call, Check: func(worker int) error { return list[worker].intact() }}, nil
}

// prepareStreamNew opens a new stream for each transfer, and closes it after.
func prepareStreamNew(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	sc, err := As[framework.StreamClient](c)
	if err != nil {
		return Job{}, err
	}
	list := newTransfers(q)
	call := func(_ context.Context, worker int) (err error) {
		t := list[worker]
		if t.EchoStream, err = sc.OpenStream(ctx, worker); err != nil {
			return err
		}
		if err = t.make(); err == nil {
			err = t.end()
		}
		return errors.Join(err, t.Close())
	}
	return Job{Call: call, Check: func(worker int) error { return list[worker].intact() }}, nil
}

// prepareTransferOneWay transfers one way, by streams that stay open. The server
// answers each transfer with the sum of what it has received.
func prepareTransferOneWay(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	list, err := openStreamWorkers(ctx, c, handler.ActionSink, q)
	answers := make([]framework.EchoMessage, q.Workers)
	call := func(_ context.Context, worker int) (err error) {
		answers[worker], err = list[worker].sendOneWay(q.Chunk)
		return err
	}
	return Job{Call: call, Check: func(worker int) error { return list[worker].checkOneWay(q.Chunk, answers[worker]) }}, err
}

// sendOneWay sends the message in chunks of the given size, and returns the server's
// sum of all that it has received.
func (t *streamWorker) sendOneWay(size int) (answer framework.EchoMessage, err error) {
	t.settle(size)
	t.number()
	t.owed = true
	for chunk := range slices.Chunk(t.message.Msg, size) {
		if err := t.send(framework.EchoMessage{Action: handler.ActionSink, Msg: chunk}); err != nil {
			return answer, err
		}
	}
	if err := t.send(framework.EchoMessage{Action: handler.ActionSum}); err != nil {
		return answer, err
	}
	return t.Recv()
}

// checkOneWay compares the server's sum with what was sent since the stream began.
func (t *streamWorker) checkOneWay(size int, answer framework.EchoMessage) error {
	t.settle(size)
	return t.compare(answer)
}

// settle adds a transfer to the sum, after the time of its call.
func (t *streamWorker) settle(size int) {
	if !t.owed {
		return
	}
	t.owed = false
	for chunk := range slices.Chunk(t.message.Msg, size) {
		t.sum.Add(chunk)
	}
}

// make sends the payload while it receives it back.
func (t *transfer) make() error {
	clear(t.got)
	t.got = t.got[:0]
	t.turn.next()
	payload := t.turn.request.Msg
	go func() { t.sent <- t.send() }()
	for left := len(payload); left > 0; {
		m, err := t.Recv()
		if err != nil {
			t.Close() // the sender may wait for a peer that is gone
			return errors.Join(fmt.Errorf("after %d bytes: %w", len(payload)-left, unexpected(err)), <-t.sent)
		}
		t.got = append(t.got, m.Msg)
		left -= len(m.Msg)
	}
	return <-t.sent
}

// unexpected turns io.EOF, the end of the stream, into io.ErrUnexpectedEOF, because
// callers take io.EOF for the end of the transfer.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (t *transfer) send() error {
	for rest := t.turn.request.Msg; len(rest) > 0; {
		n := min(t.chunk, len(rest))
		if err := t.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: rest[:n]}); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// end closes the stream in order.
func (t *transfer) end() error {
	if err := t.CloseSend(); err != nil {
		return err
	}
	if _, err := t.Recv(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the stream went on after the transfer: %v", err)
	}
	return nil
}

// intact compares what was received with what was sent.
func (t *transfer) intact() error {
	rest := t.turn.request.Msg
	t.turn.unsure = false
	defer clear(t.got) // so that its memory can be freed before the next transfer
	for _, b := range t.got {
		if !bytes.HasPrefix(rest, b) {
			return errNotIntact
		}
		rest = rest[len(b):]
	}
	return nil
}
