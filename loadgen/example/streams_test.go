package example

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/reflection"
	reflectpb "google.golang.org/grpc/reflection/grpc_reflection_v1"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/streams"
)

// watch is a stream of a gRPC service whose answers repeat the request, so that its
// host field can hold the number of a message.
type watch struct {
	reflectpb.ServerReflection_ServerReflectionInfoClient
}

func (w watch) Send(number uint64) error {
	return w.ServerReflection_ServerReflectionInfoClient.Send(&reflectpb.ServerReflectionRequest{
		Host:           strconv.FormatUint(number, 10),
		MessageRequest: &reflectpb.ServerReflectionRequest_ListServices{},
	})
}

func (w watch) Recv() (uint64, error) {
	reply, err := w.ServerReflection_ServerReflectionInfoClient.Recv()
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(reply.GetOriginalRequest().GetHost(), 10, 64)
}

// How long do messages over 20 gRPC streams wait for their answers, at 500 a second?
// The service is the reflection that grpc brings with it; yours takes its place.
func Example_grpcStreams() {
	addr, stop := startReflection()
	defer stop()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel() // ends the streams
	var list []streams.Stream
	for range 20 {
		stream, err := reflectpb.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		list = append(list, watch{stream})
	}
	load, err := streams.New(streams.Config{}, list...)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := load.Run(ctx, loadgen.Config{
		Schedule: loadgen.Poisson(500, 1),
		Warmup:   time.Second / 10,
		Duration: time.Second / 2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "answered,", res.Failed, "failed,", res.Dropped, "dropped")
	// Output: 260 answered, 0 failed, 0 dropped
}

// startReflection serves on an address of this machine.
func startReflection() (addr string, stop func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := grpc.NewServer()
	reflection.Register(server)
	go server.Serve(listener) // returns when the server is stopped
	return listener.Addr().String(), server.Stop
}
