package suite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Streams measures a closed loop over streams that stay open, one for each of
// -conc callers, for each -size:
//
//	BenchmarkStream/framework=/transport=/codec=/size=/conc=
//	BenchmarkStream/framework=/transport=/codec=/size=/conc=/mode=oneway
//
// A call is a message there and back; with mode=oneway a message there, of
// which the server acknowledges every 32nd with the sum of what it has
// received, so that at most 31 of a stream are counted before they arrived.
// Every message is numbered: one that is lost, doubled or out of its order is a
// failed call.
func Streams(b *testing.B) { streaming.run(b) }

var streaming = &suite{name: "Stream", linked: true, windowed: true, leaves: func(f *flags, v target) (list []leaf) {
	if !v.Streams {
		return nil
	}
	for _, size := range f.sizes {
		for _, conc := range f.concs {
			l := echoLeaf(conc, size)
			l.keys = fmt.Sprintf("size=%s/conc=%d", formatSize(size), conc)
			l.prepare = preparePingPong
			list = append(list, l)
			l.mode, l.prepare = "oneway", prepareOneWay
			list = append(list, l)
		}
	}
	return list
}}

// ackEvery is how many messages one way are acknowledged together.
const ackEvery = 32

// talker is a worker's end of its stream.
type talker struct {
	framework.EchoStream
	message framework.EchoMessage
	sent    uint64        // messages
	sum     framework.Sum // of the messages sent one way
	owed    int           // transfers that are not in sum yet
}

// openTalkers opens a stream for each worker, all ended by ctx.
func openTalkers(ctx context.Context, c framework.Client, action string, l leaf) ([]*talker, error) {
	sc, err := framework.As[framework.StreamClient](c)
	if err != nil {
		return nil, err
	}
	list := make([]*talker, l.workers)
	for i, r := range echoRequests(l.workers, l.size, 1) {
		s, err := sc.OpenStream(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("open stream %d of %d: %w", i+1, l.workers, err)
		}
		own := append([]byte(nil), r.Msg...) // each writes its numbers
		list[i] = &talker{EchoStream: s, message: framework.EchoMessage{Action: action, Msg: own}}
	}
	return list, nil
}

func preparePingPong(ctx context.Context, c framework.Client, l leaf) (job, error) {
	list, err := openTalkers(ctx, c, framework.ActionEcho, l)
	return job{call: func(_ context.Context, worker int) error { return list[worker].pingPong() }}, err
}

func prepareOneWay(ctx context.Context, c framework.Client, l leaf) (job, error) {
	list, err := openTalkers(ctx, c, framework.ActionSink, l)
	return job{call: func(_ context.Context, worker int) error { return list[worker].oneWay() }}, err
}

// number writes the message's number into it, if it has room.
func (t *talker) number() {
	t.sent++
	if len(t.message.Msg) >= 8 {
		binary.LittleEndian.PutUint64(t.message.Msg, t.sent)
	}
}

// send sends a message. Of a stream that has ended, Recv knows why.
func (t *talker) send(m framework.EchoMessage) error {
	err := t.Send(m)
	if errors.Is(err, io.EOF) {
		_, err = t.Recv()
	}
	return err
}

func (t *talker) pingPong() error {
	t.number()
	if err := t.send(t.message); err != nil {
		return err
	}
	got, err := t.Recv()
	if err != nil {
		return err
	}
	return t.check(got)
}

func (t *talker) check(got framework.EchoMessage) error {
	want := t.message.Msg
	switch {
	case len(got.Msg) != len(want):
		return fmt.Errorf("stream: a message of %d bytes came back, want %d", len(got.Msg), len(want))
	case len(want) >= 8 && binary.LittleEndian.Uint64(got.Msg) != t.sent:
		return errors.New("stream: a message came back that is not the one just sent")
	}
	return nil
}

func (t *talker) oneWay() error {
	t.number()
	t.sum.Add(t.message.Msg)
	if err := t.send(t.message); err != nil {
		return err
	}
	if t.sent%ackEvery != 0 {
		return nil
	}
	return t.acknowledged()
}

// acknowledged wants the server to have received what was sent.
func (t *talker) acknowledged() error {
	if err := t.send(framework.EchoMessage{Action: framework.ActionSum}); err != nil {
		return err
	}
	answer, err := t.Recv()
	if err != nil {
		return err
	}
	return t.compare(answer)
}

// compare wants an answer to be the sum of what was sent.
func (t *talker) compare(answer framework.EchoMessage) error {
	got, err := framework.DecodeSum(answer)
	if err == nil && got != t.sum {
		err = fmt.Errorf("stream: %d messages with %d bytes arrived in their order, want %d with %d", got.Messages, got.Bytes, t.sum.Messages, t.sum.Bytes)
	}
	return err
}
