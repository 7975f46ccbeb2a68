package relay

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// echo is a server that sends each datagram back.
func echo(t *testing.T) (addr string) {
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	go func() {
		buf := make([]byte, most)
		for {
			n, from, err := c.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			c.WriteToUDPAddrPort(buf[:n], from)
		}
	}()
	return c.LocalAddr().String()
}

func client(t *testing.T, r *Relay) net.Conn {
	c, err := net.Dial("udp", r.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(time.Minute)))
	return c
}

// TestDatagramsReachWhoSentThem: each client has the answers to its own.
func TestDatagramsReachWhoSentThem(t *testing.T) {
	var replies atomic.Int64
	r, err := New(echo(t), func(b []byte, reply bool, send func([]byte)) {
		if reply {
			replies.Add(1)
			b = append(b, '!')
		}
		send(b)
	})
	require.NoError(t, err)
	defer r.Close()
	one, two := client(t, r), client(t, r)
	buf := make([]byte, 100)
	for range 3 {
		for c, text := range map[net.Conn]string{one: "one", two: "two"} {
			_, err := c.Write([]byte(text))
			require.NoError(t, err)
			n, err := c.Read(buf)
			require.NoError(t, err)
			assert.Equal(t, text+"!", string(buf[:n]))
		}
	}
	assert.EqualValues(t, 6, replies.Load())
	assert.ElementsMatch(t, []int{one.LocalAddr().(*net.UDPAddr).Port, two.LocalAddr().(*net.UDPAddr).Port}, r.Clients())
	assert.Len(t, r.Recorded(), 6)
}

// TestNothingPassesAfterClose, and nothing is begun for who sends then.
func TestNothingPassesAfterClose(t *testing.T) {
	r, err := New(echo(t), Straight)
	require.NoError(t, err)
	c := client(t, r)
	_, err = c.Write([]byte("x"))
	require.NoError(t, err)
	_, err = c.Read(make([]byte, 1))
	require.NoError(t, err)
	r.Close()
	assert.Nil(t, r.of(c.LocalAddr().(*net.UDPAddr).AddrPort()), "of a client that was known")
}
