package drpc

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// service is what a user of drpc writes.
type service struct{}

func (service) echo(_ context.Context, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
	return protobuf.Kind.HandleEcho(req)
}

func (service) message(_ context.Context, req *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
	return protobuf.Kind.HandleMessage(req)
}

func (service) stream(s messages) error { return protobuf.Kind.HandleStream(s.recv, s.send) }
