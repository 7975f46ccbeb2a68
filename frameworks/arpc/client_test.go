package arpc

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// A client that dials again does not keep the connection that it has lost.
func TestLostConnectionsAreDropped(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	open := new(conns.Set)
	defer open.Close()
	dial := dialIn(open, l.Addr().String(), nil)
	for range 3 {
		_, err := dial()
		require.NoError(t, err)
		assert.Equal(t, 1, open.Len())
	}
	l.Close()
	_, err = dial()
	require.Error(t, err)
	assert.Zero(t, open.Len())
}
