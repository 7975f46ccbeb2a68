package trial

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answering is a UDP socket that answers each datagram; nil answers none.
func answering(t *testing.T, answer func([]byte) []byte) (addr string, stop func()) {
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, from, err := c.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			if answer != nil {
				c.WriteToUDPAddrPort(answer(buf[:n]), from)
			}
		}
	}()
	return c.LocalAddr().String(), func() { c.Close() }
}

// TestServersThatSpeakNoQUIC are refused in a sentence, as are those that UDP does not reach.
func TestServersThatSpeakNoQUIC(t *testing.T) {
	t.Parallel()
	versions := func([]byte) []byte { return []byte{0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1} }
	for _, c := range []struct {
		about  string
		answer func([]byte) []byte
		says   string // "" for no error
	}{
		{"a server that tells its versions", versions, ""},
		{"one that sends back what it is sent", func(b []byte) []byte { return b }, `it answers in another protocol than QUIC, and its answer begins with "\xc0\n\n\n\n\b`},
		{"one that says nothing, as where UDP is blocked", nil, "no datagram came back within 200ms: UDP is blocked on the way, or what listens there does not speak QUIC"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			addr, _ := answering(t, c.answer)
			patience := 200 * time.Millisecond
			if c.answer != nil {
				patience = time.Minute
			}
			err := tryQUIC(addr, patience)
			if c.says == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
	addr, stop := answering(t, nil)
	stop()
	assert.ErrorContains(t, tryQUIC(addr, time.Minute), "nobody listens there: ")
}
