package drpc

import (
	"context"

	"storj.io/drpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// description describes the services to the server. It is written by hand, and does
// the same as generated code.
type description[Q, R any] struct{}

var _ drpc.Description = description[protobuf.BenchMessage, protobuf.BenchMessage]{}

// NumMethods implements drpc.Description.
func (description[Q, R]) NumMethods() int { return 3 }

// Method implements drpc.Description.
func (description[Q, R]) Method(n int) (string, drpc.Encoding, drpc.Receiver, any, bool) {
	switch n {
	case 0:
		receive := func(srv any, ctx context.Context, in, _ any) (drpc.Message, error) {
			return srv.(service[Q, R]).echo(ctx, in.(*protobuf.EchoMessage))
		}
		return methodEcho, encoding{}, receive, service[Q, R].echo, true
	case 1:
		receive := func(srv any, ctx context.Context, in, _ any) (drpc.Message, error) {
			return srv.(service[Q, R]).message(ctx, in.(*Q))
		}
		return methodMessage, encoding{}, receive, service[Q, R].message, true
	case 2:
		receive := func(srv any, _ context.Context, in, _ any) (drpc.Message, error) {
			return nil, srv.(service[Q, R]).stream(messages{in.(drpc.Stream)})
		}
		return methodStream, encoding{}, receive, service[Q, R].stream, true
	}
	return "", nil, nil, nil, false
}

var _ drpc.Encoding = encoding{}
