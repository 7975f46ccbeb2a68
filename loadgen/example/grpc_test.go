package example

import (
	"context"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/rpcbench/rpcbench/loadgen"
)

// How long do the users of a gRPC service wait at 500 calls a second? The
// service is the health check that grpc brings with it; yours takes its place.
func Example_grpc() {
	addr, stop := startHealth()
	defer stop()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	client := grpc_health_v1.NewHealthClient(conn) // all workers share its connection

	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  50,
		Schedule: loadgen.Poisson(500, 1),
		Warmup:   time.Second / 10, // connects
		Duration: time.Second / 2,
		Timeout:  10 * time.Second,
	}, func(ctx context.Context, _ int) error {
		reply, err := client.Check(ctx, new(grpc_health_v1.HealthCheckRequest))
		if err == nil && reply.Status != grpc_health_v1.HealthCheckResponse_SERVING {
			err = fmt.Errorf("the service is %v", reply.Status)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Sent, "calls,", res.Failed, "failed")
	// Output: 260 calls, 0 failed
}

// startHealth serves health checks on an address of this machine.
func startHealth() (addr string, stop func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	go server.Serve(listener) // returns when the server is stopped
	return listener.Addr().String(), server.Stop
}
