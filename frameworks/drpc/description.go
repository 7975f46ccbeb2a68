package drpc

import (
	"context"

	"storj.io/drpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// description describes the services to the server. It is written by hand, and does
// the same as generated code.
type description struct{}

var _ drpc.Description = description{}

// NumMethods implements drpc.Description.
func (description) NumMethods() int { return 3 }

// Method implements drpc.Description.
func (description) Method(n int) (string, drpc.Encoding, drpc.Receiver, any, bool) {
	switch n {
	case 0:
		receive := func(srv any, ctx context.Context, in, _ any) (drpc.Message, error) {
			return srv.(service).echo(ctx, in.(*protobuf.EchoMessage))
		}
		return methodEcho, encoding{}, receive, service.echo, true
	case 1:
		receive := func(srv any, ctx context.Context, in, _ any) (drpc.Message, error) {
			return srv.(service).message(ctx, in.(*protobuf.BenchMessage))
		}
		return methodMessage, encoding{}, receive, service.message, true
	case 2:
		receive := func(srv any, _ context.Context, in, _ any) (drpc.Message, error) {
			return nil, srv.(service).stream(messages{in.(drpc.Stream)})
		}
		return methodStream, encoding{}, receive, service.stream, true
	}
	return "", nil, nil, nil, false
}

var _ drpc.Encoding = encoding{}
