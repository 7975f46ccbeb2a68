package arpc

import (
	"net"
	"syscall"
	"testing"

	"github.com/lesismal/arpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Only profile=nodelay leaves Nagle's algorithm off, and does so on both sides.
func TestNagle(t *testing.T) {
	for _, s := range []setup{onNet, tuned, unbatched, nodelay} {
		for side, h := range map[string]arpc.Handler{"client": arpc.DefaultHandler.Clone(), "server": arpc.NewServer().Handler} {
			s.setUp(h)
			conn := connect(t)
			h.OnConnected(&arpc.Client{Conn: conn})
			assert.Equal(t, s.profile == "nodelay", hasNoDelay(t, conn), "%s %s, %s", s.transport, s.profile, side)
		}
	}
}

// connect returns a connection to a listener that nobody accepts from.
func connect(t *testing.T) *net.TCPConn {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

func hasNoDelay(t *testing.T, conn *net.TCPConn) bool {
	raw, err := conn.SyscallConn()
	require.NoError(t, err)
	var value int
	require.NoError(t, raw.Control(func(fd uintptr) {
		value, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_NODELAY)
	}))
	require.NoError(t, err)
	return value != 0
}
