package kitex

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forward forwards a connection to addr until one side ends.
func forward(c net.Conn, addr string) {
	to, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		defer c.Close()
		io.Copy(c, to)
	}()
	io.Copy(to, c)
}

// OpenStream returns in time if the server has gone, even after a failed dial.
func TestOpenStreamWithoutServer(t *testing.T) {
	v := variant(ttheaderStreaming, thriftKind)
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	proxy, err := conns.Serve("127.0.0.1:0", func(c net.Conn) { forward(c, s.Addr()) })
	require.NoError(t, err)
	client, err := v.Dial(proxy.Addr(), framework.DialOptions{Conns: 2, Callers: 2})
	require.NoError(t, err)
	c := client.(framework.StreamClient) // not closed: Close would race with kitex, which may be opening a stream for ever

	before, err := c.OpenStream(t.Context(), 0)
	require.NoError(t, err)
	defer before.Close()
	require.NoError(t, before.Send(framework.EchoMessage{Action: handler.ActionEcho}))
	_, err = before.Recv()
	require.NoError(t, err)
	require.NoError(t, proxy.Close())
	_, err = before.Recv()
	assert.Error(t, err)
	assert.NotErrorIs(t, err, io.EOF)
	for range 4 {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := c.OpenStream(ctx, 0)
		assert.Error(t, err)
		cancel()
	}
}
