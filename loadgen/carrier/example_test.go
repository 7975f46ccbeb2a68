package carrier_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// twice is a carrier of a protocol in which a request brings two answers: a message is
// answered when the second has come. Its requests wait in a channel, so that any worker can
// send at any time, and it needs no queues.
type twice struct {
	*carrier.Ledger
	recorder carrier.Recorder
	requests chan carrier.Message
	open     atomic.Int64  // messages without both answers
	received chan struct{} // closed when no answer follows
}

// Begin implements carrier.Carrier.
func (c *twice) Begin(l *carrier.Ledger) {
	c.Ledger = l
	go c.receive()
}

// receive is the service and the receiver in one.
func (c *twice) receive() {
	defer close(c.received)
	for m := range c.requests {
		for range 2 {
			time.Sleep(100 * time.Microsecond)
		}
		c.recorder.Answered(c.Ledger, 0, m.Due, m.Sent, c.Now())
		c.open.Add(-1)
	}
}

// Accept implements carrier.Carrier. All messages go to queue 0.
func (c *twice) Accept(carrier.Message) (queue int) {
	c.open.Add(1)
	return 0
}

// Send implements carrier.Carrier.
func (c *twice) Send(queue int, m carrier.Message) (now time.Duration) {
	c.requests <- m
	now = c.Now()
	c.Blocked(queue, m.Due, now-m.Sent)
	return now
}

// Waiting implements carrier.Carrier: answers come in the order of the messages.
func (c *twice) Waiting() bool { return c.open.Load() > 0 }

// Idle implements carrier.Carrier.
func (c *twice) Idle() bool { return c.open.Load() == 0 }

// End implements carrier.Carrier. This service answers all that it was sent; another carrier
// would tell which messages are Unanswered.
func (c *twice) End() (sending int) {
	close(c.requests)
	<-c.received
	c.recorder.Close(c.Ledger)
	return 0
}

// How long does it take until both answers have come, at 1,000 requests a second?
func Example() {
	c := &twice{requests: make(chan carrier.Message, 1000), received: make(chan struct{})}
	res, err := loadgen.RunCarrier(context.Background(), loadgen.Config{
		Workers:  2, // calls of Send at one time
		Schedule: loadgen.Constant(1000),
		Duration: 50 * time.Millisecond,
	}, c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "of", res.Due, res.Response.Min() >= 200*time.Microsecond)
	// Output: 50 of 50 true
}
