package conns

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// When a server is closed, its connections end and new ones are refused.
func TestServerClose(t *testing.T) {
	s, err := Serve("127.0.0.1:0", func(c net.Conn) {
		c.Write([]byte("x"))
		c.Read(make([]byte, 1))
	})
	require.NoError(t, err)
	c, err := net.Dial("tcp", s.Addr())
	require.NoError(t, err)
	defer c.Close()
	_, err = c.Read(make([]byte, 1))
	require.NoError(t, err, "accepted")

	require.NoError(t, s.Close())
	_, err = c.Read(make([]byte, 1))
	assert.Error(t, err)
	_, err = net.Dial("tcp", s.Addr())
	assert.Error(t, err)
}

func TestSetAddAfterClose(t *testing.T) {
	var s Set
	a, b := net.Pipe()
	assert.True(t, s.Add(a))
	s.Close()
	assert.False(t, s.Add(b))
	_, err := b.Write([]byte("x"))
	assert.Error(t, err, "b is closed")
}

// leaving is a connection that leaves its set when it is closed.
type leaving struct {
	net.Conn
	set *Set
}

func (d leaving) Close() error {
	d.set.Forget(d)
	return d.Conn.Close()
}

func TestConnectionsThatForgetThemselves(t *testing.T) {
	var s Set
	for range 3 {
		c, _ := net.Pipe()
		require.True(t, s.Add(leaving{c, &s}))
	}
	assert.Equal(t, 3, s.Len())
	s.Close() // does not wait for itself
	assert.Zero(t, s.Len())
}

func TestOpenClosesOnFailure(t *testing.T) {
	boom := errors.New("boom")
	n, shut := 0, 0
	_, err := Open(3, func() (int, error) {
		if n++; n == 3 {
			return 0, boom
		}
		return n, nil
	}, func(int) error { shut++; return nil })
	assert.Equal(t, boom, err)
	assert.Equal(t, 2, shut)
}

// TestWithoutTLS: connections are those of the network where there is no configuration.
func TestWithoutTLS(t *testing.T) {
	s, err := ServeTLS(nil, "127.0.0.1:0", func(c net.Conn) {
		_, secured := c.(*tls.Conn)
		assert.False(t, secured)
	})
	require.NoError(t, err)
	defer s.Close()
	c, err := DialTLS(nil, s.Addr())
	require.NoError(t, err)
	defer c.Close()
	_, secured := c.(*tls.Conn)
	assert.False(t, secured)
	_, err = c.Read(make([]byte, 1))
	assert.Error(t, err, "the server has closed it")
}

// TestHandshakesThatFail: a server that does not speak TLS is no server, and its connection
// is closed.
func TestHandshakesThatFail(t *testing.T) {
	closed := make(chan error, 2)
	s, err := Serve("127.0.0.1:0", func(c net.Conn) {
		c.Write([]byte("no handshake"))
		_, err := io.Copy(io.Discard, c)
		closed <- err
	})
	require.NoError(t, err)
	defer s.Close()
	config := &tls.Config{ServerName: "x"}
	_, err = DialTLS(config, s.Addr())
	assert.Error(t, err)
	<-closed
	set := Set{TLS: config}
	_, err = set.Dial(t.Context(), s.Addr())
	assert.Error(t, err)
	<-closed
	assert.Zero(t, set.Len())
}
