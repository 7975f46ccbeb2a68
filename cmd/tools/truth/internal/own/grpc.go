package own

import (
	"context"
	"errors"
	"fmt"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/rpcbench/rpcbench/loadgen"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// overGRPC returns a call of the health service, over one connection that is ready.
func overGRPC(ctx context.Context, t tool.Target) (loadgen.Call, func(), error) {
	conn, err := grpc.NewClient(t.Address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, err
	}
	if err := ready(ctx, conn); err != nil {
		conn.Close()
		return nil, nil, err
	}
	client := grpc_health_v1.NewHealthClient(conn)
	return func(ctx context.Context, _ int) error {
		reply, err := client.Check(ctx, &grpc_health_v1.HealthCheckRequest{})
		if err != nil {
			return err
		}
		if reply.Status != grpc_health_v1.HealthCheckResponse_SERVING {
			return fmt.Errorf("health is %v", reply.Status)
		}
		return nil
	}, func() { conn.Close() }, nil
}

// ready returns when the connection can be used.
func ready(ctx context.Context, conn *grpc.ClientConn) error {
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if state == connectivity.TransientFailure {
			return errors.New("no connection to " + conn.Target())
		}
		if !conn.WaitForStateChange(ctx, state) {
			return ctx.Err()
		}
	}
	return nil
}
