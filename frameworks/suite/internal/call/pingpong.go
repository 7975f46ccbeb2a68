package call

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// Numbered says why messages of streams are not sent again.
const Numbered = "a message of a stream has its number, and one sent again would count as doubled"

// AckEvery is after how many one-way messages an acknowledgement is awaited.
const AckEvery = 32

// streamWorker is a worker's end of its stream.
type streamWorker struct {
	framework.EchoStream
	message framework.EchoMessage
	got     framework.EchoMessage // the answer to message
	next    stretch               // of the answers
	sent    uint64                // messages
	sum     ask.Sum               // of the messages sent one way
	owed    bool                  // sum does not contain the last transfer yet
}

// openStreamWorkers opens a stream for each worker, all ended by ctx.
func openStreamWorkers(ctx context.Context, c framework.Client, action string, q Requests) ([]*streamWorker, error) {
	sc, err := As[framework.StreamClient](c)
	if err != nil {
		return nil, err
	}
	list := make([]*streamWorker, q.Workers)
	for i, r := range q.Messages() {
		s, err := sc.OpenStream(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("open stream %d of %d: %w", i+1, q.Workers, err)
		}
		own := append([]byte(nil), r.Msg...) // a copy, since each worker writes its own numbers into it
		list[i] = &streamWorker{EchoStream: s, message: framework.EchoMessage{Action: action, Msg: own}, next: startOf(i, q.Size)}
	}
	return list, nil
}

// PreparePingPong has each worker send messages on a stream of its own, and wait for each.
func PreparePingPong(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	list, err := openStreamWorkers(ctx, c, handler.ActionEcho, q)
	return Job{
		Call:  func(_ context.Context, worker int) error { return list[worker].pingPong() },
		Check: func(worker int) error { return list[worker].intact() },
	}, err
}

// PrepareOneWay has each worker send messages on a stream of its own, and wait for every
// AckEvery-th.
func PrepareOneWay(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	list, err := openStreamWorkers(ctx, c, handler.ActionSink, q)
	return Job{Call: func(_ context.Context, worker int) error { return list[worker].oneWay() }}, err
}

// number writes the message's number into the payload, if it has room.
func (t *streamWorker) number() {
	t.sent++
	if len(t.message.Msg) >= 8 {
		binary.LittleEndian.PutUint64(t.message.Msg, t.sent)
	}
}

// send sends a message. If the stream has ended, the error comes from Recv, which
// knows why.
func (t *streamWorker) send(m framework.EchoMessage) error {
	err := t.Send(m)
	if errors.Is(err, io.EOF) {
		_, err = t.Recv()
	}
	return err
}

func (t *streamWorker) pingPong() (err error) {
	t.number()
	if err = t.send(t.message); err != nil {
		return err
	}
	if t.got, err = t.Recv(); err != nil {
		return err
	}
	if got, want := len(t.got.Msg), len(t.message.Msg); got != want {
		return fmt.Errorf("stream: a message of %d bytes came back, want %d", got, want)
	}
	return nil
}

// intact compares the answer with the message.
func (t *streamWorker) intact() error {
	if t.got.Action != t.message.Action || !t.next.equal(t.got.Msg, t.message.Msg) {
		return errors.New("stream: the message that came back is " + WhatWasSent)
	}
	return nil
}

func (t *streamWorker) oneWay() error {
	t.number()
	t.sum.Add(t.message.Msg)
	if err := t.send(t.message); err != nil {
		return err
	}
	if t.sent%AckEvery != 0 {
		return nil
	}
	return t.acknowledged()
}

// acknowledged returns an error unless the server has received all that was sent.
func (t *streamWorker) acknowledged() error {
	if err := t.send(framework.EchoMessage{Action: handler.ActionSum}); err != nil {
		return err
	}
	answer, err := t.Recv()
	if err != nil {
		return err
	}
	return t.compare(answer)
}

// compare returns an error unless the answer is the sum of what was sent.
func (t *streamWorker) compare(answer framework.EchoMessage) error {
	got, err := ask.DecodeSum(answer.Action, answer.Msg)
	if err == nil && got != t.sum {
		err = fmt.Errorf("stream: %d messages with %d bytes arrived in their order, want %d with %d", got.Messages, got.Bytes, t.sum.Messages, t.sum.Bytes)
	}
	return err
}
