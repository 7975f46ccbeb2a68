package sockets

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSmallBuffersSayWhatToSet(t *testing.T) {
	for _, c := range []struct {
		about         string
		receive, send int
		want          string
	}{
		{"as large as QUIC wants", EnoughBuffer, EnoughBuffer, ""},
		{"too small to receive", 416 << 10, EnoughBuffer, "a UDP socket gets buffers of 416 KiB to receive and 7168 KiB to send where QUIC wants 7168, so that datagrams may be lost in bursts: sysctl -w net.core.rmem_max=7500000 net.core.wmem_max=7500000"},
		{"too small to send", EnoughBuffer, 416 << 10, "a UDP socket gets buffers of 7168 KiB to receive and 416 KiB to send where QUIC wants 7168, so that datagrams may be lost in bursts: sysctl -w net.core.rmem_max=7500000 net.core.wmem_max=7500000"},
	} {
		assert.Equal(t, c.want, small(c.receive, c.send), c.about)
	}
	assert.NotPanics(t, func() { SmallBuffers() })
}
