package handler_test

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// The handler of a call.
func ExampleEcho() {
	for _, action := range []string{handler.ActionEcho, handler.ActionFail} {
		reply, err := handler.Echo(action, []byte("hello"))
		fmt.Printf("%q %v\n", reply, err)
	}
	// Output:
	// "hello" <nil>
	// "" rpcbench: the request asked for this error
}

// The handler of a stream, which passes on what it receives. An error ends the stream.
func ExampleStream() {
	received := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: []byte("a")}, {Action: handler.ActionSink, Msg: []byte("b")}, {Msg: []byte("c")}}
	var s handler.Stream
	defer s.End()
	for _, m := range received {
		err := s.Handle(m, func(answer framework.EchoMessage) error {
			_, err := fmt.Printf("%s\n", answer.Msg)
			return err
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// a
	// c
}
