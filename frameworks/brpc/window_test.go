package brpc

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// TestWindows sends to an echo server without receiving. The server stops when the window to
// the client is full, and the client when the one to the server is full as well, of which the
// server may still owe the feedback of a quarter.
func TestWindows(t *testing.T) {
	const message = 16 << 10
	for _, window := range []int{256 << 10, 1 << 20, 8 << 20} {
		v := windows().With(window)
		s, err := v.Serve("127.0.0.1:0")
		require.NoError(t, err)
		defer s.Close()
		c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
		require.NoError(t, err)
		defer c.Close()
		stream, err := c.(framework.StreamClient).OpenStream(t.Context(), 0)
		require.NoError(t, err)
		var sent atomic.Int64
		go func() {
			for stream.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: make([]byte, message)}) == nil {
				sent.Add(message)
			}
		}()
		assert.Eventually(t, func() bool { return sent.Load() >= int64(2*window-window/4-message) }, 10*time.Second, time.Millisecond, window)
		assert.Never(t, func() bool { return sent.Load() > int64(2*window+4*message) }, 100*time.Millisecond, 10*time.Millisecond, window)
		require.NoError(t, stream.Close())
	}
}
