package loadgen

import (
	"context"
	"errors"

	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// Run makes calls as cfg says and returns what it measured. An error without a
// Result says why no run began: a bad Config, a Schedule whose Start panicked, or
// a timer that the system refused. An error with a Result says why the run ended
// early, and the Result holds what was measured until then: the context's error,
// the error that OnProgress returned, a schedule that went backwards, or a
// *PanicError.
//
// When Run returns, all its goroutines have ended, except those whose calls did
// not return within Config.Drain.
func Run(ctx context.Context, cfg Config, call Call) (*Result, error) {
	if call == nil {
		return nil, errors.New("loadgen: the call is nil")
	}
	return execute(ctx, cfg, func(r *run) driver { return callsOf(r, call, nil, nil) })
}

// Runner makes the calls of a run, as cfg says, and returns what [Run] returns. The Run of a
// Call, an AsyncCall and a Mix are Runners, and so is that of a client of package httpload or
// grpcload. Packages capacity and loadbench take any.
type Runner func(ctx context.Context, cfg Config) (*Result, error)

// Run is [Run] with c as the call.
func (c Call) Run(ctx context.Context, cfg Config) (*Result, error) { return Run(ctx, cfg, c) }

// Run is [Run] for calls that return before they are done. A call ends when its done is
// called, and Workers bounds the calls in flight.
func (c AsyncCall) Run(ctx context.Context, cfg Config) (*Result, error) {
	if c == nil {
		return nil, errors.New("loadgen: the call is nil")
	}
	return execute(ctx, cfg, func(r *run) driver { return callsOf(r, nil, c, nil) })
}

// Run is [Run] for the calls of m. The Result covers all calls together, and its
// Parts hold a Result for each call of m.
func (m Mix) Run(ctx context.Context, cfg Config) (*Result, error) {
	if err := m.validate(); err != nil {
		return nil, err
	}
	return execute(ctx, cfg, func(r *run) driver { return callsOf(r, nil, nil, newMixer(&r.course, m)) })
}

// RunCarrier is [Run] for the messages of c. Workers bounds the calls of c.Send at
// one time. Timeout is for c to enforce, and so are MaxLag and MaxBacklog for
// messages in its queues. The loop is open, without OnCall and Check.
func RunCarrier(ctx context.Context, cfg Config, c carrier.Carrier) (*Result, error) {
	switch {
	case c == nil:
		return nil, errors.New("loadgen: the carrier is nil")
	case isClosed(cfg.Schedule):
		return nil, errors.New("loadgen: a carrier is of an open loop: choose Constant, Poisson or another Schedule with due times")
	case cfg.OnCall != nil || cfg.Check != nil:
		return nil, errors.New("loadgen: OnCall and Check are for calls that a worker waits for, not for messages")
	}
	return execute(ctx, cfg, func(r *run) driver { return &messages{run: r, carrier: c} })
}

// execute makes a run with the driver that drive returns.
func execute(ctx context.Context, cfg Config, drive func(*run) driver) (*Result, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return &Result{Closed: isClosed(cfg.Schedule)}, err
	}
	r := new(run)
	r.course.prepare(ctx, cfg.withDefaults())
	r.driver = drive(r)
	if err := r.prepare(); err != nil {
		return nil, err
	}
	defer r.closeUp()
	r.driver.begin()
	r.launch()
	r.supervise()
	return r.result(), r.error()
}
