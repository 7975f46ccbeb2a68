package connect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/greeting"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestWindows reads the windows that both sides announce.
func TestWindows(t *testing.T) {
	plain := variant(unzipped(h2c), protobufKind, protobuf.Kind)
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
			server, client, err := greeting.Of(c.v)
			require.NoError(t, err)
			assert.Equal(t, c.server, server, "the server")
			assert.Equal(t, c.client, client, "the client")
		})
	}
}
