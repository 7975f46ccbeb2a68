package h3

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// TestBlockedUDP: a server of which nothing is heard is told in a sentence, within the patience
// of the dial.
func TestBlockedUDP(t *testing.T) {
	silent, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer silent.Close()
	var open conns.Set
	defer open.Close()
	transport, err := Transport(&open, new(tls.Config))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+silent.LocalAddr().String(), nil)
	require.NoError(t, err)
	_, err = transport.RoundTrip(r)
	assert.ErrorContains(t, Explain(err), "no answer to QUIC's handshake: UDP is blocked on the way, or nobody listens there: ")
}

// TestWithoutCertificates: neither side begins.
func TestWithoutCertificates(t *testing.T) {
	_, err := Serve("127.0.0.1:0", http.NotFoundHandler(), nil)
	assert.ErrorIs(t, err, errNoTLS)
	_, err = Transport(new(conns.Set), nil)
	assert.ErrorIs(t, err, errNoTLS)
}
