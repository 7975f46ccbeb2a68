package framework_test

import (
	"context"
	"fmt"
	"net"
	"net/rpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Variants is what an adapter exports, here of net/rpc with one connection for all callers.
func Variants() []framework.Variant {
	return []framework.Variant{{
		Keys:        framework.Keys{Framework: "yours", Transport: "tcp", Codec: "gob"},
		Recommended: true,
		Unknown:     framework.Says("can't find method"),
		Serve:       serve,
		Dial: func(addr string, _ framework.DialOptions) (framework.Client, error) {
			c, err := rpc.Dial("tcp", addr)
			return client{c}, err
		},
	}}
}

// service has the methods of the server.
type service struct{}

func (service) Echo(req framework.EchoMessage, reply *framework.EchoMessage) (err error) {
	reply.Action = req.Action
	reply.Msg, err = handler.Echo(req.Action, req.Msg)
	return err
}

func (service) Message(req message.Bench, reply *message.Bench) error {
	*reply = req
	reply.Field1, reply.Field2 = message.AnswerField1, message.AnswerField2
	count.Call()
	return nil
}

// server is a framework.Server.
type server struct{ net.Listener }

func (s server) Addr() string { return s.Listener.Addr().String() }

func serve(addr string) (framework.Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := rpc.NewServer()
	if err := s.RegisterName("Bencher", service{}); err != nil {
		return nil, err
	}
	go s.Accept(l)
	return server{l}, nil
}

// client is a framework.MessageClient.
type client struct{ *rpc.Client }

var _ framework.MessageClient = client{}

func (c client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		reply := new(framework.EchoMessage)
		if err := c.call(ctx, "Bencher.Echo", requests[worker], reply); err != nil {
			return err
		}
		return check(worker, *reply)
	}
}

func (c client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	requests := message.NewRequests[message.Bench](workers)
	return func(ctx context.Context, worker int) error {
		reply := new(message.Bench)
		if err := c.call(ctx, "Bencher.Message", requests.Of(worker), reply); err != nil {
			return err
		}
		requests.Done(worker)
		return check(worker, reply.Field1, reply.Field2, reply)
	}
}

func (c client) CallUnknown(ctx context.Context) error {
	return c.call(ctx, "Bencher.Unknown", 0, new(int))
}

// call ends with its context, of which net/rpc knows nothing.
func (c client) call(ctx context.Context, method string, req, reply any) error {
	call := c.Go(method, req, reply, make(chan *rpc.Call, 1))
	select {
	case <-call.Done:
		return call.Error
	case <-ctx.Done():
		return ctx.Err()
	}
}

// An adapter of a framework, with the calls that the suite makes through it.
func Example() {
	v := Variants()[0]
	s, err := v.Serve("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer s.Close()
	c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
	if err != nil {
		panic(err)
	}
	defer c.Close()

	requests := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: []byte("hello")}}
	echo := c.Echo(requests, func(_ int, reply framework.EchoMessage) error {
		fmt.Printf("%s: %s\n", reply.Action, reply.Msg)
		return nil
	})
	send := c.(framework.MessageClient).Message(1, func(_ int, field1 string, field2 int32, _ any) error {
		fmt.Println("message:", field1, field2)
		return nil
	})
	fmt.Println(v.ID())
	fmt.Println(echo(context.Background(), 0), send(context.Background(), 0))
	// Output:
	// framework=yours/transport=tcp/codec=gob
	// echo: hello
	// message: OK 100
	// <nil> <nil>
}
