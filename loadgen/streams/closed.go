package streams

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// measureClosed makes a run of callers, each of which waits for its answer before it
// sends its next message.
func (c *courier) measureClosed(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	own := cfg
	own.Timeout = 0 // the context of a call has it
	c.prepare(own)
	r := c.run.Load()
	r.callers = make([]chan error, max(cfg.Workers, 0))
	for i := range r.callers {
		r.callers[i] = make(chan error, 1)
	}
	res, err := loadgen.Run(ctx, cfg, func(ctx context.Context, caller int) error { return c.call(ctx, r, caller) })
	c.accepting.Lock() // callers may be left
	defer c.accepting.Unlock()
	c.End()
	return res, err
}

// call sends the next message for a caller and waits for its answer.
func (c *courier) call(ctx context.Context, r *run, caller int) error {
	slot, seq := c.sendFor(r, caller)
	select {
	case err := <-r.callers[caller]:
		return err
	case <-ctx.Done():
	}
	if slot != nil && slot.withdraw(seq) {
		return ctx.Err()
	}
	return <-r.callers[caller]
}

// sendFor sends the next message for a caller, unless the run is over, and returns its
// slot; nil if it was not accepted.
func (c *courier) sendFor(r *run, caller int) (slot *slot, seq uint64) {
	c.accepting.Lock()
	if r.over.Load() {
		c.accepting.Unlock()
		r.tell(int64(caller), errUnsent)
		return nil, 0
	}
	m := carrier.Message{Number: int64(c.next - r.base), Sent: time.Duration(caller)}
	queue := c.Accept(m)
	slot, seq = c.latest, c.latestSeq
	c.accepting.Unlock()
	if queue >= 0 {
		c.Send(queue, m)
	}
	return slot, seq
}

// withdraw fails a message, unless somebody else decides what becomes of it.
func (s *slot) withdraw(seq uint64) bool {
	return s.change(seq, queued, cancelled) || s.change(seq, underway, failed)
}
