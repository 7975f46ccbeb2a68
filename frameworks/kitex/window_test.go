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
			server, client, err := greeting.Of(c.v)
			require.NoError(t, err)
			assert.Equal(t, c.want, server, "the server")
			assert.Equal(t, c.want, client, "the client")
		})
	}
}
