package connect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/greeting"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestWindows reads the windows that both sides announce.
func TestWindows(t *testing.T) {
	plain := variant(unzipped(h2c), protobufKind)
	with := windows().With
	for _, c := range []struct {
		about          string
		v              framework.Variant
		server, client greeting.Windows
	}{
		{"without a window they are net/http's", plain, greeting.Windows{Stream: 1 << 20, Conn: 1 << 20}, greeting.Windows{Stream: 4 << 20, Conn: 1<<30 + leastWindow}},
		{"the least", with(leastWindow), greeting.Windows{Stream: leastWindow, Conn: 4 * leastWindow}, greeting.Windows{Stream: leastWindow, Conn: 5 * leastWindow}},
		{"a small one", with(64 << 10), greeting.Windows{Stream: 64 << 10, Conn: 256 << 10}, greeting.Windows{Stream: 64 << 10, Conn: 256<<10 + leastWindow}},
		{"a large one", with(4 << 20), greeting.Windows{Stream: 4 << 20, Conn: 16 << 20}, greeting.Windows{Stream: 4 << 20, Conn: 16<<20 + leastWindow}},
	} {
		t.Run(c.about, func(t *testing.T) {
			s, err := c.v.Serve("127.0.0.1:0")
			require.NoError(t, err)
			defer s.Close()
			of, err := greeting.OfServer(s.Addr())
			require.NoError(t, err)
			assert.Equal(t, c.server, of, "the server")
			of, err = greeting.OfClient(func(addr string) {
				if c, err := c.v.Dial(addr, framework.DialOptions{Conns: 1, Callers: 1}); err == nil {
					c.Close()
				}
			})
			require.NoError(t, err)
			assert.Equal(t, c.client, of, "the client")
		})
	}
}
