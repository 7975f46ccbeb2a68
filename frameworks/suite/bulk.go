package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Bulk measures a closed loop of transfers, there and back, for each -bulk size
// and each number of them at once in -transfers; MB/s counts one way:
//
//	BenchmarkBulk/framework=/mode=/size=/parallel=/net=
//
// mode=bytes is a field of a message, attachment are bytes past the serializer
// (codec=raw), stream continues one stream for all transfers of a worker, with
// messages of -chunk bytes, and stream-new opens and closes one for each. The
// first variant of a framework that has a mode stands for it; framework=tcp is
// the limit. A framework whose messages cannot be so large has no row. When the
// end of a transfer has been stamped, every byte is compared.
func Bulk(b *testing.B) { bulk.run(b) }

var bulk = &suite{
	name:   "Bulk",
	linked: true, namesNet: true,
	base: func(v Variant) string { return "framework=" + v.Framework },
	leaves: func(f *flags, v Variant) (list []leaf) {
		for _, mode := range v.bulkModes() {
			for _, size := range f.bulkSizes {
				for _, parallel := range f.parallels {
					l := leaf{workers: parallel, size: size, schedule: loadgen.ClosedLoop, peaks: true, prepare: bulkModes[mode]}
					l.keys = fmt.Sprintf("mode=%s/size=%s/parallel=%d", mode, formatSize(size), parallel)
					if mode == "stream" || mode == "stream-new" {
						l.largest = f.chunkSize
					}
					if v.fits(cmp.Or(l.largest, size)) == nil {
						list = append(list, l)
					}
				}
			}
		}
		return list
	},
}

var bulkModes = map[string]func(context.Context, Client, leaf) (job, error){
	"bytes": prepareBytes, "attachment": prepareBytes, "stream": prepareContinued, "stream-new": prepareOpened,
}

// bulkModes are the modes that a variant has.
func (v Variant) bulkModes() (modes []string) {
	switch {
	case v.Raw:
		modes = append(modes, "attachment")
	case v.Recommended || v.Profile != "":
		modes = append(modes, "bytes")
	}
	if v.Streams && !v.Raw {
		modes = append(modes, "stream", "stream-new")
	}
	return modes
}

var errNotIntact = errors.New("bulk: what came back is not what was sent")

// prepareBytes transfers by calls.
func prepareBytes(_ context.Context, c Client, l leaf) (job, error) {
	requests := echoRequests(l.workers, l.size, 1)
	replies := make([][]byte, l.workers)
	call := c.Echo(requests, func(worker int, reply EchoMessage) error {
		replies[worker] = reply.Msg
		return nil
	})
	return job{call: call, check: func(worker int) error {
		got := replies[worker]
		replies[worker] = nil
		if !bytes.Equal(got, requests[worker].Msg) {
			return errNotIntact
		}
		return nil
	}}, nil
}

// transfer is a worker's, by a stream.
type transfer struct {
	EchoStream
	payload []byte
	got     [][]byte
	sent    chan error
}

func newTransfers(l leaf) []*transfer {
	list := make([]*transfer, l.workers)
	for i, r := range echoRequests(l.workers, l.size, 1) {
		list[i] = &transfer{payload: r.Msg, sent: make(chan error, 1)}
	}
	return list
}

// prepareContinued transfers by streams that stay open.
func prepareContinued(ctx context.Context, c Client, l leaf) (job, error) {
	sc, err := power[StreamClient](c)
	if err != nil {
		return job{}, err
	}
	list := newTransfers(l)
	for i, t := range list {
		if t.EchoStream, err = sc.OpenStream(ctx, i); err != nil {
			return job{}, err
		}
	}
	call := func(_ context.Context, worker int) error { return list[worker].make() }
	return job{call: call, check: func(worker int) error { return list[worker].intact() }}, nil
}

// prepareOpened transfers by streams that are opened and closed for it.
func prepareOpened(ctx context.Context, c Client, l leaf) (job, error) {
	sc, err := power[StreamClient](c)
	if err != nil {
		return job{}, err
	}
	list := newTransfers(l)
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
	return job{call: call, check: func(worker int) error { return list[worker].intact() }}, nil
}

// make sends the payload while it receives it back.
func (t *transfer) make() error {
	clear(t.got)
	t.got = t.got[:0]
	go func() { t.sent <- t.send() }()
	for left := len(t.payload); left > 0; {
		m, err := t.Recv()
		if err != nil {
			t.Close() // the sender may wait for a peer that is gone
			return errors.Join(err, <-t.sent)
		}
		t.got = append(t.got, m.Msg)
		left -= len(m.Msg)
	}
	return <-t.sent
}

func (t *transfer) send() error {
	for rest := t.payload; len(rest) > 0; {
		n := min(env.chunkSize, len(rest))
		if err := t.Send(EchoMessage{Action: ActionEcho, Msg: rest[:n]}); err != nil {
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
		return fmt.Errorf("bulk: the stream went on after the transfer: %v", err)
	}
	return nil
}

// intact compares what was received with what was sent.
func (t *transfer) intact() error {
	rest := t.payload
	for _, b := range t.got {
		if !bytes.HasPrefix(rest, b) {
			return errNotIntact
		}
		rest = rest[len(b):]
	}
	return nil
}
