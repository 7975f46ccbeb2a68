package ttrpc

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// The largest payload fills a message to the last byte. ttrpc itself refuses a payload
// that is one byte larger.
func TestMaxMessage(t *testing.T) {
	payload, err := proto.Marshal(&protobuf.EchoMessage{Action: handler.ActionEcho, Msg: make([]byte, MaxMessage)})
	require.NoError(t, err)
	request := &ttrpc.Request{Service: serviceName, Method: "Echo", Payload: payload, TimeoutNano: -1}
	size := proto.Size(request)
	assert.NoError(t, ttrpc.OversizedMessageError(size))
	assert.Error(t, ttrpc.OversizedMessageError(size+1))
}

// A call ends by its context even if the server does not read.
func TestDeafServer(t *testing.T) {
	deaf := make(chan struct{})
	s, err := conns.Serve("127.0.0.1:0", func(net.Conn) { <-deaf })
	require.NoError(t, err)
	defer s.Close()
	defer close(deaf)
	c, err := dial(s.Addr(), layer.Stack{}, protobuf.Kind, framework.DialOptions{Conns: 1})
	require.NoError(t, err)
	defer c.Close()

	requests := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: make([]byte, MaxMessage)}}
	call := c.Echo(requests, func(int, framework.EchoMessage) error { return nil })
	for range 10 { // together more than the sockets' buffers hold
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		assert.ErrorIs(t, call(ctx, 0), context.DeadlineExceeded)
		cancel()
	}
}
