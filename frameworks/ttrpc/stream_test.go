package ttrpc

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// Closing a server ends its open streams and closes their connections.
func TestStreamOfAClosedServer(t *testing.T) {
	server, err := serve("127.0.0.1:0", layer.Stack{}, protobuf.Kind)
	require.NoError(t, err)
	c, err := dial(server.Addr(), layer.Stack{}, protobuf.Kind, framework.DialOptions{Conns: 1})
	require.NoError(t, err)
	defer c.Close()
	s, err := c.(*client[protobuf.BenchMessage, protobuf.BenchMessage]).OpenStream(t.Context(), 0)
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Send(framework.EchoMessage{Action: handler.ActionEcho}))
	_, err = s.Recv()
	require.NoError(t, err)

	require.NoError(t, server.Close())
	_, err = s.Recv()
	assert.Error(t, err)
	assert.NotErrorIs(t, err, io.EOF)
	assert.NoError(t, c.(*client[protobuf.BenchMessage, protobuf.BenchMessage]).conns[0].UserOnCloseWait(t.Context()), "the connection is closed")
}
