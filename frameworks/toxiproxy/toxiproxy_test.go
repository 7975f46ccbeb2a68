package toxiproxy

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachWayIsHeldBack(t *testing.T) {
	const delay = 20 * time.Millisecond
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	go func() {
		if c, err := server.Accept(); err == nil {
			io.Copy(c, c)
		}
	}()
	p, err := Start(server.Addr().String(), delay)
	require.NoError(t, err)
	c, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	defer c.Close()
	begin := time.Now()
	_, err = c.Write([]byte("x"))
	require.NoError(t, err)
	_, err = io.ReadFull(c, make([]byte, 1))
	assert.NoError(t, err)
	assert.GreaterOrEqual(t, time.Since(begin), 2*delay)
	require.NoError(t, p.Close())
	_, err = c.Read(make([]byte, 1))
	assert.Error(t, err, "it drops its connections")
}

func TestNoFractions(t *testing.T) {
	_, err := Start("127.0.0.1:1", 1500*time.Microsecond)
	assert.ErrorContains(t, err, "whole milliseconds")
}
