package push

import (
	"time"

	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// courier makes the pushes of a run in an open loop, each of which is an arrival of the
// schedule.
type courier struct {
	*Load
	r *run
}

// Begin implements carrier.Carrier.
func (c *courier) Begin(ledger *carrier.Ledger) {
	c.r.ledger = ledger
	c.begin(c.r)
}

// Accept implements carrier.Carrier. Sources take turns.
func (c *courier) Accept(m carrier.Message) (queue int) {
	a := c.lanes[int(m.Number)%len(c.lanes)]
	n := c.r.claim(c.Messages)
	p, err := a.add(c.r, n, m.Due, m.Sent)
	if c.latest = p; p == nil {
		c.refuse(m, n, err)
		return -1
	}
	a.queueing.Lock()
	defer a.queueing.Unlock()
	a.queue = append(a.queue, p)
	if a.sending {
		return -1
	}
	a.sending = true
	return a.index
}

// refuse tells of a push that was not accepted: since nothing more can come, or else since
// too many are under way.
func (c *courier) refuse(m carrier.Message, n int, err error) {
	for range n {
		if err != nil {
			c.r.ledger.Fail(err, m.Due, m.Sent, m.Sent)
		} else {
			c.r.ledger.Drop(m.Due)
		}
	}
}

// Send implements carrier.Carrier.
func (c *courier) Send(queue int, m carrier.Message) (now time.Duration) {
	a := c.lanes[queue]
	now = m.Sent
	for p := a.pop(false); p != nil; p = a.pop(c.r.ledger.Stopping()) {
		due, sent := p.due, time.Duration(p.sent.Load())
		a.send(p)
		now = c.sent(a, due, sent)
	}
	return now
}

// sent notes for how long a push was held up, unless the run is over.
func (c *courier) sent(a *lane, due, sent time.Duration) (now time.Duration) {
	now = c.r.ledger.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == c.r {
		c.r.ledger.Blocked(a.index, due, now-sent)
	}
	return now
}

// pop takes the next push to be sent; nil if there is none, or none is to be sent any more.
func (a *lane) pop(stopping bool) *push {
	a.queueing.Lock()
	defer a.queueing.Unlock()
	if len(a.queue) == 0 || stopping {
		a.sending = false
		return nil
	}
	p := a.queue[0]
	a.queue = a.queue[1:]
	return p
}

// Waiting implements carrier.Carrier.
func (c *courier) Waiting() bool { return c.latest != nil && c.latest.left.Load() > 0 }

// Idle implements carrier.Carrier.
func (c *courier) Idle() bool { return c.r.open.Load() == 0 }

// End implements carrier.Carrier.
func (c *courier) End() (sending int) {
	for _, a := range c.lanes {
		if c.dropUnsent(a) {
			sending++
		}
	}
	c.finish(c.r, func(p *push, n int) {
		for range n {
			c.r.ledger.Unanswered(p.due, c.r.now())
		}
	})
	return sending
}

// dropUnsent drops the pushes that were not sent, and reports whether one is being sent.
func (c *courier) dropUnsent(a *lane) (sending bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.queueing.Lock()
	defer a.queueing.Unlock()
	for _, p := range a.queue {
		if p.run != c.r.id { // it has failed
			continue
		}
		for range p.messages {
			c.r.ledger.Drop(p.due)
		}
		p.cancel()
	}
	a.queue = nil
	return a.sending
}
