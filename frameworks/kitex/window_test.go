package kitex

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/greeting"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestWindows reads the windows that both sides announce.
func TestWindows(t *testing.T) {
	plain := multiplexed(protobufKind)
	for _, c := range []struct {
		about string
		v     framework.Variant
		want  greeting.Windows
	}{
		{"without a window they are HTTP/2's", plain, greeting.Windows{Stream: leastWindow, Conn: leastWindow}},
		{"the least", plain.Windows.With(leastWindow), greeting.Windows{Stream: leastWindow, Conn: 4 * leastWindow}},
		{"a small one", plain.Windows.With(64 << 10), greeting.Windows{Stream: 64 << 10, Conn: 256 << 10}},
		{"a large one", plain.Windows.With(4 << 20), greeting.Windows{Stream: 4 << 20, Conn: 16 << 20}},
	} {
		t.Run(c.about, func(t *testing.T) {
			s, err := c.v.Serve("127.0.0.1:0")
			require.NoError(t, err)
			defer s.Close()
			of, err := greeting.OfServer(s.Addr())
			require.NoError(t, err)
			assert.Equal(t, c.want, of, "the server")
			of, err = greeting.OfClient(func(addr string) {
				if c, err := c.v.Dial(addr, framework.DialOptions{Conns: 1, Callers: 1}); err == nil {
					c.Close()
				}
			})
			require.NoError(t, err)
			assert.Equal(t, c.want, of, "the client")
		})
	}
}
