package grpcload

import (
	"context"

	"github.com/rpcbench/rpcbench/loadgen"
)

var _ loadgen.Runner = (*Client)(nil).Run

// Run calls the targets as cfg says. With several parts the Result has each in Parts; see
// Names. A Check of cfg runs after that of the Client's Config.
func (c *Client) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	r := &run{Client: c, onCall: cfg.OnCall, after: cfg.Check, slots: make([]slot, max(cfg.Workers, 0))}
	cfg.OnCall = r.number
	if c.check != nil {
		cfg.Check = r.judge
	}
	if len(c.parts) == 1 {
		return loadgen.Run(ctx, cfg, r.calls(c.parts[0].targets))
	}
	return r.mix().Run(ctx, cfg)
}

// run is the load of a Config.
type run struct {
	*Client
	onCall func(worker int, a loadgen.Arrival) // of the Config, or nil
	after  func(worker int) error              // of the Config, or nil
	slots  []slot                              // of the workers
}

// slot is what a worker knows of its call.
type slot struct {
	number int64
	target *target
	kept   replies
}

// mix has a call for each part.
func (r *run) mix() (m loadgen.Mix) {
	for _, p := range r.parts {
		m.Calls = append(m.Calls, loadgen.MixedCall{Name: p.name, Weight: float64(len(p.targets)), Call: r.calls(p.targets)})
	}
	return m
}

// number takes the number of the arrival, by which targets are chosen.
func (r *run) number(worker int, a loadgen.Arrival) {
	r.slots[worker].number = a.Number
	if r.onCall != nil {
		r.onCall(worker, a)
	}
}

// calls calls targets in turn.
func (r *run) calls(targets []*target) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		s, kept := &r.slots[worker], (*replies)(nil)
		s.target = targets[s.number%int64(len(targets))]
		if r.check != nil {
			s.kept = s.kept[:0]
			kept = &s.kept
		}
		return s.target.call(ctx, r.conns[worker%len(r.conns)], r.options, kept)
	}
}

// judge has the replies of a worker's call judged.
func (r *run) judge(worker int) error {
	s := &r.slots[worker]
	if err := s.target.judge(s.kept, r.check); err != nil || r.after == nil {
		return err
	}
	return r.after(worker)
}
