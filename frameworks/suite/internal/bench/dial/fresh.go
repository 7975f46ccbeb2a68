package dial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// freshLeaf is a caller who makes a client for each call.
type freshLeaf struct {
	call.Leaf
	handshake handshake
}

// These bound the time of a line, which then has fewer samples. Some frameworks take a
// second to close a client.
const (
	longestDials = 20 * time.Second
	smokeLongest = 2 * time.Second // of benchmarks that only have to run
)

var _ rig.Measurer = freshLeaf{}

// Measure implements rig.Measurer.
func (l freshLeaf) Measure(r *rig.Round) error { return r.Observed(l.observe) }

// observe makes clients of a server that has answered calls before. The client of these
// calls is closed, because some frameworks share a connection among clients.
func (l freshLeaf) observe(r *rig.Round) ([]loadbench.Metric, error) {
	if err := r.Ready(); err != nil {
		return nil, err
	}
	defer r.CloseLoad()
	if err := r.Load.Close(); err != nil {
		return nil, r.GiveUp(err)
	}
	f := newFresh(r, l.handshake)
	load := load.OfJob(call.Job{Call: f.call, Check: f.end}, r.Rig.Load.Patience(r.Case))
	if err := load.Warm(1, r.Rig.Load.WarmUp()); err != nil {
		return nil, r.GiveUp(err)
	}
	f.parts = parts{}
	before := handshakesOf(f.options.Handshakes)
	cfg := r.Config()
	if cfg.Duration = longestDials; r.Rig.Load.Smoke() {
		cfg.Duration = smokeLongest
	}
	var used probe.Heap
	used.During(&cfg)
	m, err := load.Run(r.Bench, dials(r.Rig.Settings), cfg)
	m.Rounds = r.Rig.Rounds
	if err == nil && m.OK == 0 {
		err = fmt.Errorf("%w: %s", rig.ErrNone, m.Failures())
	}
	handshakes := handshakesOf(f.options.Handshakes).since(before)
	conns := 0
	if err == nil {
		conns, err = f.conns(r)
	}
	if err != nil {
		return nil, r.GiveUp(err)
	}
	r.Rig.Ledger.FailedWith(r.Bench.Name(), m.Failures())
	r.Stray(rig.Connected{Client: conns, ServerErr: errors.ErrUnsupported}.Doubt(r.Asked(1))) // others' may be closing at the server
	r.Rig.Ledger.Warn(r.Bench.Name(), append(r.Probe.Doubts(m, nil), handshakes.doubts(l.handshake, m.OK)...)...)
	return append(l.metrics(r, m, f, &used, conns), handshakes.metrics(l.handshake)...), nil
}

// metrics has the longest time also without -detail.
func (l freshLeaf) metrics(r *rig.Round, m load.Measured, f *fresh, used *probe.Heap, conns int) []loadbench.Metric {
	list := m.Metrics(r.Rig.Output.Detail)
	if !r.Rig.Output.Detail {
		list = append(list, loadbench.Metric{Value: float64(m.Response.Max()), Unit: "max-ns"})
	}
	list = append(list,
		loadbench.Metric{Value: float64(f.dialed.Quantile(.5)), Unit: "dial-ns"},
		loadbench.Metric{Value: float64(f.called.Quantile(.5)), Unit: "first-call-ns"},
		loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"},
		loadbench.Metric{Value: float64(conns), Unit: "conns"})
	return append(append(list, used.Metrics(m)...), r.Probe.Metrics(m)...)
}

// fresh makes a client for each call.
type fresh struct {
	variant framework.Variant
	addr    string
	options framework.DialOptions
	kept    call.Replies
	request []framework.EchoMessage
	client  framework.Client // of the last call
	parts
}

// parts are the times of the parts of calls that succeeded.
type parts struct{ dialed, called loadgen.Histogram }

func newFresh(r *rig.Round, h handshake) *fresh {
	request, kept := r.Rig.Load.Requests(r.Case, 1).Replies()
	return &fresh{
		variant: r.Variant, addr: r.Dialed[0], request: request, kept: kept,
		options: framework.DialOptions{Conns: 1, Callers: 1, Patience: r.Rig.Load.Patience(r.Case), Handshakes: h.watch()},
	}
}

// call is a loadgen.Call. A client is closed in end, when the end of the call has been
// stamped, or here if its call failed.
func (f *fresh) call(ctx context.Context, worker int) (err error) {
	f.kept.Begin(worker)
	begin := time.Now()
	if f.client, err = f.variant.Dial(f.addr, f.options); err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	dialed := time.Since(begin)
	if err = f.client.Echo(f.request, f.kept.Keep)(ctx, worker); err != nil {
		f.client.Close()
		return err
	}
	f.dialed.Record(dialed, 1)
	f.called.Record(time.Since(begin)-dialed, 1)
	return nil
}

// end is the check of a call.
func (f *fresh) end(worker int) error {
	defer f.client.Close()
	return f.kept.Compare(worker)
}

// conns returns how many connections one more client has when its call has ended, or if
// the system does not tell, how many it may have.
func (f *fresh) conns(r *rig.Round) (int, error) {
	time.Sleep(probe.Settling) // others are still being closed
	before, err := f.open(r)
	if err != nil {
		return r.Opens(), nil
	}
	if err := f.call(r.Bench.Context(), 0); err != nil {
		return 0, err
	}
	after, err := f.open(r)
	if err := f.end(0); err != nil {
		return 0, err
	}
	return after - before, err
}

// open returns how many connections there are.
func (f *fresh) open(r *rig.Round) (int, error) {
	return sockets.Open(f.variant.Datagrams, []string{f.addr}, r.Load.PIDs()...)
}
