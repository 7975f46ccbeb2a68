package drpc

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"storj.io/drpc"
	"storj.io/drpc/drpcserver"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// lazy answers late if the call asks for it.
type lazy struct{}

const late = "late"

// HandleRPC implements drpc.Handler.
func (lazy) HandleRPC(stream drpc.Stream, _ string) error {
	m := new(protobuf.EchoMessage)
	if err := stream.MsgRecv(m, encoding{}); err != nil {
		return err
	}
	if m.Action == late {
		select {
		case <-stream.Context().Done():
		case <-time.After(10 * time.Second):
		}
	}
	return stream.MsgSend(m, encoding{})
}

// When a context has ended a call, the next call succeeds.
func TestContextEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go drpcserver.New(lazy{}).Serve(t.Context(), l)
	c, err := dial(l.Addr().String(), layer.Stack{}, protobuf.Kind, framework.DialOptions{Callers: 10})
	require.NoError(t, err)
	defer c.Close()

	requests := []framework.EchoMessage{{Action: late}, {Action: handler.ActionEcho}}
	call := c.Echo(requests, func(_ int, reply framework.EchoMessage) error {
		assert.Equal(t, handler.ActionEcho, reply.Action)
		return nil
	})
	for range 300 {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Microsecond)
		assert.Error(t, call(ctx, 0)) // the context's error, or EOF if drpc has closed the connection first
		assert.NoError(t, call(context.Background(), 1))
		cancel()
	}
}

// Closing a client ends calls under way, and makes later calls fail.
func TestClose(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go drpcserver.New(lazy{}).Serve(t.Context(), l)
	c, err := dial(l.Addr().String(), layer.Stack{}, protobuf.Kind, framework.DialOptions{Callers: 1})
	require.NoError(t, err)

	call := c.Echo([]framework.EchoMessage{{Action: late}}, func(int, framework.EchoMessage) error { return nil })
	failed := make(chan error)
	go func() { failed <- call(context.Background(), 0) }()
	time.Sleep(20 * time.Millisecond) // the calls are probably under way by now; the test holds even if not
	require.NoError(t, c.Close())
	assert.Error(t, <-failed)
	assert.Error(t, call(context.Background(), 0))
}
