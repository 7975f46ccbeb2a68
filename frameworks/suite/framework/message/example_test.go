package message_test

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Order is a message of one's own.
type Order struct {
	ID       int64
	Articles []string
}

// Receipt is the reply to an Order.
type Receipt struct {
	ID    int64
	Total float64
}

// A Go type that the server sends back. The ID of an order tells the replies to calls apart.
func ExampleOwn() {
	orders := message.Own("Order", []*Order{
		{Articles: []string{"cup", "saucer"}},
		{Articles: []string{"kettle"}},
	}, nil, func(o *Order) *int64 { return &o.ID })

	requests := orders.NewRequests(1) // the client's side has them before the clock starts
	compare := orders.Sent().Comparer(1)
	for call := 1; call <= 2; call++ {
		request := requests.Of(0)
		reply := orders.Handle(request) // the server's side
		requests.Done(0)
		fmt.Println(reply.ID, reply.Articles, compare(0, call, reply, true))
	}
	// Output:
	// 100002 [cup saucer] <nil>
	// 100003 [kettle] <nil>
}

// Requests and replies of different types. A receipt has the ID of its order.
func ExampleExchange() {
	sales := message.Exchange[Order, Receipt]{
		Name:     "Sale",
		Requests: []*Order{{Articles: []string{"cup"}}},
		Replies:  []*Receipt{{Total: 4.5}},
		Clone:    func(o *Order) *Order { return &Order{o.ID, append([]string(nil), o.Articles...)} },
		Share:    func(dst, src *Receipt) { *dst = *src },
		Equal:    func(got, want *Receipt) bool { return *got == *want },
		Request: message.Mark[Order]{
			Set: func(o *Order, n int64) { o.ID = n },
			Get: func(o *Order) int64 { return o.ID },
		},
		Reply: message.Mark[Receipt]{
			Set: func(r *Receipt, n int64) { r.ID = n },
			Get: func(r *Receipt) int64 { return r.ID },
		},
	}
	fmt.Println(sales.Sent().Fault)
	fmt.Println(*sales.Handle(sales.NewRequests(1).Of(0)))
	// Output:
	// <nil>
	// {100002 4.5}
}

// The client's side of the bench message.
func ExampleNewRequests() {
	requests := message.NewRequests[message.Bench](2)
	request := requests.Of(1) // of the first call of worker 1
	fmt.Println(request.Field2, *request.Field22 == message.Number(1, 1))
	requests.Done(1)
	// Output: 100000 true
}
