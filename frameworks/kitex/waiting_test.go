package kitex

import (
	"context"
	"testing"

	"github.com/cloudwego/kitex/pkg/streaming"
	"github.com/cloudwego/kitex/server"
	"github.com/stretchr/testify/require"

	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	thriftbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench/bencher"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/waiting"
)

// TestStreamsOfAServerThatWaits: it sends the headers of its answer at once.
func TestStreamsOfAServerThatWaits(t *testing.T) {
	var overGRPC []framework.Variant
	for _, v := range Variants() {
		if v.Streams && v.Transport == grpc.name {
			overGRPC = append(overGRPC, v)
		}
	}
	waiting.Ends(t, waiting.GRPC(t), overGRPC...)

	k := thriftKind
	k.register = func(s server.Server) error {
		info := thriftbencher.NewServiceInfo()
		info.Methods[methodStream] = streamMethod()
		return s.RegisterService(info, &waits{methods[thrift.EchoMessage, thrift.BenchMessage, thrift.BenchMessage]{thrifts}, t.Context().Done()})
	}
	v := variant(ttheaderStreaming, k)
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	waiting.Ends(t, s.Addr(), v)
}

// waits is a handler that heeds neither the client's deadline nor its end.
type waits struct {
	methods[thrift.EchoMessage, thrift.BenchMessage, thrift.BenchMessage]
	end <-chan struct{}
}

// Stream shadows the handler's.
func (w *waits) Stream(_ context.Context, s streaming.ServerStream) error {
	err := s.SendHeader(streaming.Header{"waits": "yes"})
	<-w.end
	return err
}
