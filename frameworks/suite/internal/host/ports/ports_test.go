package ports

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFree: a port can be listened at, and is none of those that the system gives away.
func TestFree(t *testing.T) {
	port, err := Free()
	require.NoError(t, err)
	l, err := net.Listen("tcp", at(port))
	require.NoError(t, err)
	defer l.Close()
	assert.GreaterOrEqual(t, port, first)
	for range 100 {
		given, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer given.Close()
		if port := given.Addr().(*net.TCPAddr).Port; port < first+count {
			t.Skipf("this system gives port %d to those who ask for any", port)
		}
	}
}
