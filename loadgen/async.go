package loadgen

import (
	"context"
	"sync/atomic"
	"time"
)

// reply is where a worker waits for its asynchronous call to be done.
type reply struct {
	r       *run
	calls   atomic.Uint64 // calls that were answered or given up
	at      time.Duration // when the last of them was
	err     error
	arrived chan struct{}
}

func newReply(r *run) *reply { return &reply{r: r, arrived: make(chan struct{}, 1)} }

// await makes a call and waits until it is done, until its Timeout is over, or
// until the run gives it up. A done belongs to one call: called again, or too late,
// it cannot end another call.
func (p *reply) await(ctx context.Context, worker int) error {
	call := p.calls.Load()
	p.r.async(ctx, worker, func(err error) {
		at := p.r.now()
		if p.calls.CompareAndSwap(call, call+1) {
			p.at, p.err = at, err
			p.arrived <- struct{}{}
		}
	})
	var timeout <-chan struct{}
	if p.r.Timeout > 0 {
		timeout = ctx.Done()
	}
	for {
		select {
		case <-p.arrived:
			return p.err
		case <-p.r.abandoned:
			return p.giveUp(call, errUnfinished)
		case <-timeout:
			if p.r.ctx.Err() == nil {
				return p.giveUp(call, context.DeadlineExceeded)
			}
			timeout = nil // the run is cancelled: replies have until Drain
		}
	}
}

// giveUp ends a call that was not answered. If it has been answered just now, the
// answer counts.
func (p *reply) giveUp(call uint64, why error) error {
	if !p.calls.CompareAndSwap(call, call+1) {
		<-p.arrived
		return p.err
	}
	p.at = p.r.now()
	return why
}
