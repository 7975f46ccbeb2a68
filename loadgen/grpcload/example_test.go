package grpcload_test

import (
	"context"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/grpcload"
)

// How long do users wait for a method at 500 calls a second? The server's reflection describes
// it. A real server runs in a process of its own.
func ExampleDial() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	server := grpc.NewServer()
	grpc_testing.RegisterTestServiceServer(server, &service{calls: map[string]int{}})
	reflection.Register(server)
	go server.Serve(listener)
	defer server.Stop()

	client, err := grpcload.Dial(context.Background(), grpcload.Config{
		Address: listener.Addr().String(),
		Targets: []grpcload.Target{{Method: "grpc.testing.TestService/UnaryCall", Request: `{"responseSize": 3}`}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	res, err := client.Run(context.Background(), loadgen.Config{
		Workers:  50,
		Schedule: loadgen.Constant(500),
		Duration: 100 * time.Millisecond,
	})
	if err == nil {
		err = res.Require("p50<30s", "errors=0")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "calls") // fmt.Println(res) prints percentiles and warnings
	// Output: 50 calls
}
