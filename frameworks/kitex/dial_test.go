package kitex

import (
	"net"
	"testing"
	"time"

	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/trans/gonet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// A connection that kitex closes is no longer kept, and those that are open end with the
// client.
func TestConnectionsThatEndAreDropped(t *testing.T) {
	for about, dialer := range map[string]remote.Dialer{"kitex's own": newDialer(), "of package net": gonet.NewDialer()} {
		t.Run(about, func(t *testing.T) { dropsConnections(t, dialer) })
	}
}

func dropsConnections(t *testing.T, dialer remote.Dialer) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	open := new(conns.Set)
	var ours, theirs [2]net.Conn
	for i := range ours {
		ours[i], err = dialIn(open, dialer, "tcp", l.Addr().String(), time.Second)
		require.NoError(t, err)
		theirs[i], err = l.Accept()
		require.NoError(t, err)
		defer theirs[i].Close()
	}
	assert.Equal(t, 2, open.Len())
	require.NoError(t, ours[0].Close())
	assert.Eventually(t, func() bool { return open.Len() == 1 }, 10*time.Second, time.Millisecond)

	open.Close()
	theirs[1].SetReadDeadline(time.Now().Add(10 * time.Second))
	_, err = theirs[1].Read(make([]byte, 1))
	assert.Error(t, err)
	assert.NotErrorIs(t, err, net.ErrClosed)
	_, err = dialIn(open, dialer, "tcp", l.Addr().String(), time.Second)
	assert.ErrorIs(t, err, net.ErrClosed)
}
