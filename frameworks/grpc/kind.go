package grpc

import (
	"context"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/grpc/internal/bencher"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Full names of the methods.
const (
	serviceName   = "rpcbench.Bencher"
	methodEcho    = bencher.Bencher_Echo_FullMethodName
	methodMessage = bencher.Bencher_Message_FullMethodName
	methodUnknown = "/" + serviceName + "/Unknown"

	streamerName = "rpcbench.Streamer"
	methodStream = bencher.Streamer_Stream_FullMethodName
)

var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "/" + serviceName + "/Fail"}

// kind says which messages are sent, and how: a serializer, and the descriptions of the
// services with it.
type kind struct {
	name     string
	about    string
	carries  framework.Kind
	sent     *message.Sent
	modules  []string
	register func(*grpc.Server)
	server   []grpc.ServerOption
	calls    []grpc.CallOption
	hello    func() (req, reply any) // messages of the echo that tries a connection
	client   func([]*grpc.ClientConn) framework.Client
}

// stub is a generated client, or one written by hand that does the same.
type stub[E, Q, R any] interface {
	Echo(ctx context.Context, req *E, o ...grpc.CallOption) (*E, error)
	Message(ctx context.Context, req *Q, o ...grpc.CallOption) (*R, error)
	Stream(ctx context.Context, o ...grpc.CallOption) (grpc.BidiStreamingClient[E, E], error)
}
