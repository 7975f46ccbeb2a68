package example

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Order is a message of one's own.
type Order struct {
	ID       int64    `json:"id"`
	Customer string   `json:"customer"`
	Articles []string `json:"articles"`
}

// orders are samples. The ID tells the replies of calls apart.
func orders() message.Exchange[Order, Order] {
	return message.Own("Order", []*Order{
		{Customer: "Ada", Articles: []string{"cup", "saucer"}},
		{Customer: "Grace", Articles: []string{"kettle"}},
	}, nil, func(o *Order) *int64 { return &o.ID })
}

// Orders is the framework with orders in place of the bench message.
func Orders() framework.Variant {
	v := Variants()[0]
	v.Profile, v.Recommended, v.Sent = "orders", false, orders().Sent()
	dial := v.Dial
	v.Dial = func(addr string, o framework.DialOptions) (framework.Client, error) {
		c, err := dial(addr, o)
		return &orderClient{c.(*client), orders()}, err
	}
	return v
}

// orderClient is a framework.MessageClient.
type orderClient struct {
	*client
	orders message.Exchange[Order, Order]
}

func (c *orderClient) Message(workers int, check framework.MessageCheck) loadgen.Call {
	requests := c.orders.NewRequests(workers)
	return func(ctx context.Context, worker int) error {
		var reply Order
		if err := c.post(ctx, "/order", requests.Of(worker), &reply); err != nil {
			return err
		}
		requests.Done(worker)
		return check(worker, "", 0, &reply)
	}
}
