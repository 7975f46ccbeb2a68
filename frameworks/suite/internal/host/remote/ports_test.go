package remote

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRangesOfPorts(t *testing.T) {
	for text, want := range map[string]Ports{"": {}, "7001-7064": {7001, 7064}, "7001": {7001, 7001}, "1-65535": {1, 65535}} {
		p, err := ReadPorts(text)
		assert.NoError(t, err, text)
		assert.Equal(t, want, p, text)
	}
	for _, text := range []string{"-", "7001-", "-7001", "7064-7001", "0-1", "65535-65536", "7001,7002", "7001-7002-7003", "+1-2"} {
		_, err := ReadPorts(text)
		assert.ErrorContains(t, err, "is no range of ports from 1 to 65535, as in 7001-7064", text)
	}
	assert.Equal(t, 16, Ports{}.room(16))
	assert.Equal(t, 16, Ports{7001, 7064}.room(16))
	assert.Equal(t, 2, Ports{7001, 7002}.room(16))
}

// twoPorts are two ports next to each other at which nobody listens.
func twoPorts(t *testing.T) Ports {
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		p := l.Addr().(*net.TCPAddr).Port
		l.Close()
		if both := (Ports{p, p + 1}); listenable("127.0.0.1", p) == nil && listenable("127.0.0.1", p+1) == nil && isPort(strconv.Itoa(p+1)) {
			return both
		}
	}
	t.Fatal("there are no two ports next to each other")
	return Ports{}
}

// TestPortsAreTakenByTurns, none twice, and one that somebody else uses not at all.
func TestPortsAreTakenByTurns(t *testing.T) {
	c := &choice{Ports: twoPorts(t)}
	take := func() int {
		port, err := c.take("127.0.0.1")
		require.NoError(t, err)
		return port
	}
	first := take()
	assert.Equal(t, c.First, first)
	c.give(first)
	assert.Equal(t, c.Last, take(), "the first may have connections that wait for their end")
	assert.Equal(t, c.First, take())
	_, err := c.take("127.0.0.1")
	assert.ErrorContains(t, err, "have servers: give -serve a larger range (-ports)")
	c.give(c.First)
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.First)))
	require.NoError(t, err)
	defer l.Close()
	_, err = c.take("127.0.0.1")
	assert.ErrorContains(t, err, "address already in use")
	at, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer at.Close()
	assert.ErrorContains(t, c.Check(at), strconv.Itoa(c.First)+" is in use")
	none, err := new(choice).take("127.0.0.1")
	assert.NoError(t, err)
	assert.Zero(t, none, "any port")
}
