package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Bulk measures a closed loop of transfers, there and back, for each -bulk size
// and each number of them at once in -transfers; MB/s counts one way:
//
//	BenchmarkBulk/framework=/mode=/size=/parallel=/net=
//
// mode=bytes is a field of a message, attachment are bytes past the serializer
// (codec=raw), stream continues one stream for all transfers of a worker, with
// messages of -chunk bytes, and stream-new opens and closes one for each; chunk=
// comes last on the line where it is not 64KiB. The reference, framework=tcp,
// has mode=oneway as well, of which only the sum comes back. The first variant
// of a framework that has a mode stands for it. Where messages cannot be so
// large there is no row, and a line that names the framework and its limit. When
// the end of a transfer has been stamped, every byte is compared. The watchdog
// waits longer for transfers, a second for every 2 MiB at once.
//
// framework=iperf3 does what raw TCP does one way, where iperf3 is installed.
//
// After the lines comes the share that the best mode of each framework has of
// the reference's best.
func Bulk(b *testing.B) {
	bulk.run(b)
	for _, c := range env.iperf {
		b.Run(strings.TrimPrefix(c.name(), bulk.benchmark()+"/"), c.measure)
	}
}

var bulk = &suite{
	name:   "Bulk",
	linked: true, windowed: true, namesNet: true,
	base: func(v target) string { return "framework=" + v.Framework },
	leaves: func(f *flags, v target) (list []leaf) {
		for _, mode := range v.bulkModes() {
			for _, size := range f.bulkSizes {
				for _, parallel := range f.parallels {
					list = append(list, bulkLeaf(f, v, mode, size, parallel))
				}
			}
		}
		return list
	},
}

func bulkLeaf(f *flags, v target, mode string, size, parallel int) leaf {
	l := leaf{workers: parallel, size: size, schedule: loadgen.ClosedLoop, peaks: true, patience: transferTime(size * parallel)}
	l.way, l.compared = mode, fmt.Sprintf("size=%s/parallel=%d", formatSize(size), parallel)
	l.keys = "mode=" + l.way + "/" + l.compared
	if mode == "oneway" {
		l.compared = "" // there is nothing to compare it with
	}
	if mode != "bytes" && mode != "attachment" {
		l.largest = f.chunkSize
		if f.chunkSize != defaultChunk {
			l.chunk = formatSize(f.chunkSize)
		}
	}
	if err := v.Fits(cmp.Or(l.largest, size)); err != nil {
		l.unfit = fmt.Errorf("mode=%s: %w", mode, err)
	}
	l.prepare = func(ctx context.Context, c framework.Client, l leaf) (job, error) {
		j, err := bulkModes[mode](ctx, c, l)
		return j.of(v, size), err
	}
	return l
}

// transferTime is what so many bytes may take in all, at 2 MiB/s, which is a
// tenth of what gzip does.
func transferTime(n int) time.Duration { return time.Duration(n/(2<<20)) * time.Second }

// of names in errors the framework and the size of the transfer that failed.
func (j job) of(v target, size int) job {
	named := func(err error) error {
		if err != nil {
			err = fmt.Errorf("%s: a transfer of %d bytes: %w", v.ID(), size, err)
		}
		return err
	}
	call, check := j.call, j.check
	j.call = func(ctx context.Context, worker int) error { return named(call(ctx, worker)) }
	j.check = func(worker int) error { return named(check(worker)) }
	return j
}

var bulkModes = map[string]func(context.Context, framework.Client, leaf) (job, error){
	"bytes": prepareBytes, "attachment": prepareBytes,
	"stream": prepareContinued, "stream-new": prepareOpened, "oneway": prepareSunk,
}

// bulkModes are the modes that a variant has.
func (v target) bulkModes() (modes []string) {
	switch {
	case v.Kind == framework.Bytes:
		modes = append(modes, "attachment")
	case v.Recommended || v.Profile != "" || v.Window != "":
		modes = append(modes, "bytes")
	}
	if v.Streams && v.Kind != framework.Bytes {
		modes = append(modes, "stream", "stream-new")
	}
	if v.Streams && v.Rank == framework.Reference {
		modes = append(modes, "oneway")
	}
	return modes
}

var errNotIntact = errors.New("what came back is not what was sent")

// prepareBytes transfers by calls.
func prepareBytes(_ context.Context, c framework.Client, l leaf) (job, error) {
	requests := echoRequests(l.workers, l.size, 1)
	replies := make([][]byte, l.workers)
	call := c.Echo(requests, func(worker int, reply framework.EchoMessage) error {
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
	framework.EchoStream
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
func prepareContinued(ctx context.Context, c framework.Client, l leaf) (job, error) {
	sc, err := framework.As[framework.StreamClient](c)
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
func prepareOpened(ctx context.Context, c framework.Client, l leaf) (job, error) {
	sc, err := framework.As[framework.StreamClient](c)
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

// prepareSunk transfers one way, by streams that stay open: the server answers
// each transfer by the sum of what it has received.
func prepareSunk(ctx context.Context, c framework.Client, l leaf) (job, error) {
	list, err := openTalkers(ctx, c, framework.ActionSink, l)
	answers := make([]framework.EchoMessage, l.workers)
	call := func(_ context.Context, worker int) (err error) {
		answers[worker], err = list[worker].sink()
		return err
	}
	return job{call: call, check: func(worker int) error { return list[worker].sunk(answers[worker]) }}, err
}

// sink sends the message in chunks and returns what the server says of all.
func (t *talker) sink() (answer framework.EchoMessage, err error) {
	t.owed++
	for chunk := range slices.Chunk(t.message.Msg, env.chunkSize) {
		if err := t.send(framework.EchoMessage{Action: framework.ActionSink, Msg: chunk}); err != nil {
			return answer, err
		}
	}
	if err := t.send(framework.EchoMessage{Action: framework.ActionSum}); err != nil {
		return answer, err
	}
	return t.Recv()
}

// sunk compares the server's answer with what was sent since the stream began.
func (t *talker) sunk(answer framework.EchoMessage) error {
	for ; t.owed > 0; t.owed-- {
		for chunk := range slices.Chunk(t.message.Msg, env.chunkSize) {
			t.sum.Add(chunk)
		}
	}
	return t.compare(answer)
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
			return errors.Join(fmt.Errorf("after %d bytes: %w", len(t.payload)-left, unexpected(err)), <-t.sent)
		}
		t.got = append(t.got, m.Msg)
		left -= len(m.Msg)
	}
	return <-t.sent
}

// unexpected keeps the end of a stream from being taken for that of a transfer.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (t *transfer) send() error {
	for rest := t.payload; len(rest) > 0; {
		n := min(env.chunkSize, len(rest))
		if err := t.Send(framework.EchoMessage{Action: framework.ActionEcho, Msg: rest[:n]}); err != nil {
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
	rest := t.payload
	for _, b := range t.got {
		if !bytes.HasPrefix(rest, b) {
			return errNotIntact
		}
		rest = rest[len(b):]
	}
	return nil
}
