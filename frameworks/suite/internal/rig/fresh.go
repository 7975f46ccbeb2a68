package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/sockets"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// freshLeaf is a caller who makes a client for each call.
type freshLeaf struct {
	leaf
	handshake handshake
}

// These bound the time of a line, which then has fewer samples. Some frameworks take a
// second to close a client.
const (
	longestDials = 20 * time.Second
	onceLongest  = 2 * time.Second // of benchmarks that only have to run
)

func (l freshLeaf) measure(r *round) error { return r.observed(l.observe) }

// observe makes clients of a server that has answered calls before. The client of these
// calls is closed, because some frameworks share a connection among clients.
func (l freshLeaf) observe(r *round) ([]loadbench.Metric, error) {
	if err := r.ready(); err != nil {
		return nil, err
	}
	defer r.closeLoad()
	if err := r.load.close(); err != nil {
		return nil, r.giveUp(err)
	}
	f := newFresh(r, l.handshake)
	load := localOf(job{call: f.call, check: f.end}, r.rig.Load.patience(r.Case))
	if err := load.warm(1, r.rig.Load.warmUp()); err != nil {
		return nil, r.giveUp(err)
	}
	f.parts = parts{}
	before := shakenBy(f.options.Handshakes)
	cfg := r.config()
	if cfg.Duration = longestDials; r.rig.Load.Smoke() {
		cfg.Duration = onceLongest
	}
	var used heap
	used.during(&cfg)
	m, err := load.run(r.b, dials(r.rig.Settings), cfg)
	m.Rounds = r.rig.Rounds
	if err == nil && m.OK == 0 {
		err = fmt.Errorf("%w: %s", errNone, m.Failures())
	}
	shaken := shakenBy(f.options.Handshakes).since(before)
	conns := 0
	if err == nil {
		conns, err = f.conns(r)
	}
	if err != nil {
		return nil, r.giveUp(err)
	}
	r.rig.Ledger.failedWith(r.b.Name(), m.Failures())
	r.stray(connected{client: conns, serverErr: errors.ErrUnsupported}.doubt(r.Asked(1))) // others' may be closing at the server
	r.rig.Ledger.warn(r.b.Name(), append(r.probe.doubts(m, nil), shaken.doubts(l.handshake, m.OK)...)...)
	return append(l.metrics(r, m, f, &used, conns), shaken.metrics(l.handshake)...), nil
}

// metrics has the longest time also without -detail.
func (l freshLeaf) metrics(r *round, m measured, f *fresh, used *heap, conns int) []loadbench.Metric {
	list := m.Metrics(r.rig.Output.Detail)
	if !r.rig.Output.Detail {
		list = append(list, loadbench.Metric{Value: float64(m.Response.Max()), Unit: "max-ns"})
	}
	list = append(list,
		loadbench.Metric{Value: float64(f.dialed.Quantile(.5)), Unit: "dial-ns"},
		loadbench.Metric{Value: float64(f.called.Quantile(.5)), Unit: "first-call-ns"},
		loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"},
		loadbench.Metric{Value: float64(conns), Unit: "conns"})
	return append(append(list, used.metrics(m)...), r.probe.metrics(m)...)
}

// fresh makes a client for each call.
type fresh struct {
	variant framework.Variant
	addr    string
	options framework.DialOptions
	kept    replies
	request []framework.EchoMessage
	client  framework.Client // of the last call
	parts
}

// parts are the times of the parts of calls that succeeded.
type parts struct{ dialed, called loadgen.Histogram }

func newFresh(r *round, h handshake) *fresh {
	request, kept := r.rig.Load.requestSpec(r.Case, 1).replies(nil)
	return &fresh{
		variant: r.Variant, addr: r.dialed[0], request: request, kept: kept,
		options: framework.DialOptions{Conns: 1, Callers: 1, Patience: r.rig.Load.patience(r.Case), Handshakes: h.watch()},
	}
}

// call is a loadgen.Call. A client is closed in end, when the end of the call has been
// stamped, or here if its call failed.
func (f *fresh) call(ctx context.Context, worker int) (err error) {
	f.kept.begin(worker)
	begin := time.Now()
	if f.client, err = f.variant.Dial(f.addr, f.options); err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	dialed := time.Since(begin)
	if err = f.client.Echo(f.request, f.kept.keep)(ctx, worker); err != nil {
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
	return f.kept.compare(worker)
}

// conns returns how many connections one more client has when its call has ended, or if
// the system does not tell, how many it may have.
func (f *fresh) conns(r *round) (int, error) {
	time.Sleep(settling) // others are still being closed
	before, err := sockets.Connections(f.addr, r.load.pids()...)
	if err != nil {
		return r.Opens(), nil
	}
	if err := f.call(r.b.Context(), 0); err != nil {
		return 0, err
	}
	after, err := sockets.Connections(f.addr, r.load.pids()...)
	if err := f.end(0); err != nil {
		return 0, err
	}
	return after - before, err
}
