package loadgen

import (
	"context"
	"sync/atomic"
	"time"
)

// reply is where a worker waits for its asynchronous call to be done.
type reply struct {
	*course
	call      AsyncCall
	abandoned <-chan struct{} // closed when the run gives up what is under way

	calls   atomic.Uint64 // calls that were answered or given up
	at      time.Duration // when the last of them was
	result  error
	arrived chan struct{}
}

func newReply(c *course, call AsyncCall, abandoned <-chan struct{}) *reply {
	return &reply{course: c, call: call, abandoned: abandoned, arrived: make(chan struct{}, 1)}
}

// await makes a call and waits until it is done, until its Timeout is over, or
// until the run gives it up. A done belongs to one call: called again, or too late,
// it cannot end another call.
func (p *reply) await(ctx context.Context, worker int) error {
	number := p.calls.Load()
	p.call(ctx, worker, func(err error) {
		at := p.Now()
		if p.calls.CompareAndSwap(number, number+1) {
			p.at, p.result = at, err
			p.arrived <- struct{}{}
		}
	})
	var timeout <-chan struct{}
	if p.Timeout > 0 {
		timeout = ctx.Done()
	}
	for {
		select {
		case <-p.arrived:
			return p.result
		case <-p.abandoned:
			return p.giveUp(number, errUnfinished)
		case <-timeout:
			if p.ctx.Err() == nil {
				return p.giveUp(number, context.DeadlineExceeded)
			}
			timeout = nil // the run is cancelled: replies have until Drain
		}
	}
}

// giveUp ends a call that was not answered. If it has been answered just now, the
// answer counts.
func (p *reply) giveUp(number uint64, why error) error {
	if !p.calls.CompareAndSwap(number, number+1) {
		<-p.arrived
		return p.result
	}
	p.at = p.Now()
	return why
}
