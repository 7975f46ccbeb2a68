package trial

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

// probeBytes is the least size of a datagram to which a server of QUIC answers (RFC 9000, 14.1).
const probeBytes = 1200

// probe returns a packet of a version of QUIC that nobody speaks. A server answers with the
// versions that it speaks.
func probe() []byte {
	b := make([]byte, probeBytes)
	copy(b, []byte{
		0xc0,                   // a long header
		0x0a, 0x0a, 0x0a, 0x0a, // a version that is reserved for this (RFC 9000, 15)
		8, 1, 2, 3, 4, 5, 6, 7, 8, // the server's ID of the connection
		0, // the client's
	})
	return b
}

// tries is how often the probe is sent, since a datagram may be lost.
const tries = 4

// tryQUIC asks a server for its versions of QUIC, because a handshake that nobody answers does
// not say why.
func tryQUIC(addr string, patience time.Duration) error {
	c, err := net.Dial("udp", addr)
	if err != nil {
		return fmt.Errorf("no connection: %w", err)
	}
	defer c.Close()
	answer := make([]byte, 1<<16)
	for range tries {
		n, err := 0, c.SetDeadline(time.Now().Add(patience/tries))
		if err == nil {
			_, err = c.Write(probe())
		}
		if err == nil {
			n, err = c.Read(answer)
		}
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			return fmt.Errorf("nobody listens there: %w", err)
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil:
			return fmt.Errorf("no connection: %w", err)
		case n < 7 || answer[0] < 0x80 || [4]byte(answer[1:5]) != [4]byte{}:
			return &wrongAnswer{fmt.Errorf("it answers in another protocol than QUIC, and its answer begins with %q", answer[:min(n, 16)])}
		default:
			return nil
		}
	}
	return &wrongAnswer{fmt.Errorf("no datagram came back within %v: UDP is blocked on the way, or what listens there does not speak QUIC", patience)}
}
