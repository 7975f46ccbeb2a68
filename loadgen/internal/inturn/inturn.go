// Package inturn calls targets in turn: the call of number k, see loadgen.Arrival, is of target
// k modulo their number, in whichever process it is made.
package inturn

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Calls are the calls of some targets.
type Calls struct {
	Targets int                  // one at least
	Parts   []string             // the names of what has results of its own; with one there are no parts
	PartOf  func(target int) int // the index in Parts; not needed with one
	Call    func(ctx context.Context, worker, target int) error
	Check   func(worker, target int) error // judges a call after its end was taken; nil does not
	// Context makes what all calls of a worker have as their context; nil leaves it as it is.
	Context func(ctx context.Context, worker int) context.Context
}

// Run makes a run. OnCall of cfg is called as ever, and its Check after that of the calls.
//
// Calls have a context of their own. When ctx is over, it is not: calls in flight end as they
// would have, and do not fail. A call ends when its Timeout or Drain is over, and gives its
// connection back.
func (c Calls) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	r := &run{Calls: c, timeout: cfg.Timeout, workers: make([]worker, max(cfg.Workers, 0))}
	cfg.Timeout = min(cfg.Timeout, 0) // what is negative is an error of loadgen's
	defer r.begin(context.WithoutCancel(ctx))()
	if c.Targets > 1 {
		cfg.OnCall = r.noting(cfg.OnCall)
	}
	if c.Check != nil {
		cfg.Check = r.checking(cfg.Check)
	}
	if len(c.Parts) == 1 {
		return loadgen.Run(ctx, cfg, r.call)
	}
	return r.mix().Run(ctx, cfg)
}

type run struct {
	Calls
	timeout time.Duration // of a call; 0 is none
	workers []worker
}

// worker is what is known of a worker's call.
type worker struct {
	ctx    context.Context
	cancel context.CancelFunc
	number int64
}

// begin gives each worker a context of its own: a call with a timeout locks its parent, for which
// workers would otherwise wait. The function that it returns ends what is left.
func (r *run) begin(ctx context.Context) (end func()) {
	for i := range r.workers {
		own := ctx
		if r.Context != nil {
			own = r.Context(ctx, i)
		}
		r.workers[i].ctx, r.workers[i].cancel = context.WithCancel(own)
	}
	return func() {
		for i := range r.workers {
			r.workers[i].cancel()
		}
	}
}

// noting returns an OnCall that notes the number of a call and then calls the caller's, which may
// be nil.
func (r *run) noting(then func(int, loadgen.Arrival)) func(int, loadgen.Arrival) {
	return func(worker int, a loadgen.Arrival) {
		r.workers[worker].number = a.Number
		if then != nil {
			then(worker, a)
		}
	}
}

// checking returns a Check that judges a call and then calls the caller's, which may be nil.
func (r *run) checking(then func(int) error) func(int) error {
	return func(worker int) error {
		err := r.Check(worker, r.target(r.workers[worker].number))
		if err == nil && then != nil {
			err = then(worker)
		}
		return err
	}
}

// mix has a call for each part.
func (r *run) mix() loadgen.Mix {
	m := loadgen.Mix{Pick: func(number int64) int { return r.PartOf(r.target(number)) }}
	for _, name := range r.Parts {
		m.Calls = append(m.Calls, loadgen.MixedCall{Name: name, Call: r.call})
	}
	return m
}

func (r *run) target(number int64) int { return int(number % int64(r.Targets)) }

// call makes a call in the context of its worker, and not in that of the run.
func (r *run) call(_ context.Context, id int) error {
	w := &r.workers[id]
	ctx := w.ctx
	if r.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.timeout)
		defer cancel()
	}
	return r.Call(ctx, id, r.target(w.number))
}
