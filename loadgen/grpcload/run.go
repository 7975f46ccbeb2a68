package grpcload

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

var _ loadgen.Runner = (*Client)(nil).Run

// Run calls the targets as cfg says. With several parts the Result has each in Parts; see
// Names. A Check of cfg runs after the Check of the Client's Config. When ctx is over, calls in
// flight go on until their Timeout or the end of Drain.
func (c *Client) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	r := &run{Client: c, onCall: cfg.OnCall, after: cfg.Check, slots: make([]slot, max(cfg.Workers, 0))}
	r.timeout, cfg.Timeout = cfg.Timeout, min(cfg.Timeout, 0)
	defer r.begin(context.WithoutCancel(ctx))()
	if len(c.targets) > 1 {
		cfg.OnCall = r.number
	}
	if c.check != nil {
		cfg.Check = r.judge
	}
	if len(c.names) == 1 {
		return loadgen.Run(ctx, cfg, r.call)
	}
	return r.mix().Run(ctx, cfg)
}

// run is the load of a Config.
type run struct {
	*Client
	onCall  func(worker int, a loadgen.Arrival) // of the Config, or nil
	after   func(worker int) error              // of the Config, or nil
	slots   []slot                              // of the workers
	timeout time.Duration                       // of a call; 0 is none
}

// slot is what a worker knows of its call.
type slot struct {
	ctx    context.Context // of its calls
	cancel context.CancelFunc
	number int64
	kept   replies
}

// begin gives each worker a context of its own, since a call with a timeout locks it. The
// function that it returns ends what did not end within Drain.
func (r *run) begin(ctx context.Context) (end func()) {
	for i := range r.slots {
		r.slots[i].ctx, r.slots[i].cancel = context.WithCancel(ctx)
	}
	return func() {
		for i := range r.slots {
			r.slots[i].cancel()
		}
	}
}

// mix has a call for each part.
func (r *run) mix() loadgen.Mix {
	m := loadgen.Mix{Pick: func(number int64) int { return r.target(number).part }}
	for _, name := range r.names {
		m.Calls = append(m.Calls, loadgen.MixedCall{Name: name, Call: r.call})
	}
	return m
}

func (r *run) target(number int64) *target { return r.targets[number%int64(len(r.targets))] }

// number takes the number of the arrival, by which targets are chosen.
func (r *run) number(worker int, a loadgen.Arrival) {
	r.slots[worker].number = a.Number
	if r.onCall != nil {
		r.onCall(worker, a)
	}
}

func (r *run) call(_ context.Context, worker int) error {
	s, kept := &r.slots[worker], (*replies)(nil)
	ctx := s.ctx
	if r.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.timeout)
		defer cancel()
	}
	if r.check != nil {
		s.kept = s.kept[:0]
		kept = &s.kept
	}
	return r.target(s.number).call(ctx, r.conns[worker%len(r.conns)], r.options, kept)
}

// judge has the replies of a worker's call judged.
func (r *run) judge(worker int) error {
	s := &r.slots[worker]
	if err := r.target(s.number).judge(s.kept, r.check); err != nil || r.after == nil {
		return err
	}
	return r.after(worker)
}
