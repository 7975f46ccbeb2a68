package loadgen

import (
	"context"
	"sync/atomic"
	"time"
)

// reply is where a worker waits for its asynchronous call to be done.
type reply struct {
	r       *run
	at      time.Duration // when done was called
	err     error
	arrived chan struct{}
}

func newReply(r *run) *reply { return &reply{r: r, arrived: make(chan struct{}, 1)} }

// await makes a call. Its done is a closure of its own, so that a done that is
// called again cannot end the worker's next call.
func (p *reply) await(ctx context.Context, worker int) error {
	var called atomic.Bool
	p.r.async(ctx, worker, func(err error) {
		at := p.r.now()
		if called.CompareAndSwap(false, true) {
			p.at, p.err = at, err
			p.arrived <- struct{}{}
		}
	})
	<-p.arrived
	return p.err
}
