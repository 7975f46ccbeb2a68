package drpc

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// service is what a user of drpc writes.
type service[Q, R any] struct{ kind protobuf.Messages[Q, R] }

func (s service[Q, R]) echo(_ context.Context, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
	return s.kind.HandleEcho(req)
}

func (s service[Q, R]) message(_ context.Context, req *Q) (*R, error) {
	return s.kind.HandleMessage(req)
}

func (s service[Q, R]) stream(m messages) error { return s.kind.HandleStream(m.recv, m.send) }
