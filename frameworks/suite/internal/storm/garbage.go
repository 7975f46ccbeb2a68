package storm

import (
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"time"
)

// Garbage is a kind of what a server may be sent.
type Garbage struct {
	Name string
	// make returns what is sent. recorded is what a client of the server has sent.
	make func(r *rand.Rand, recorded []byte) []byte
	// end is called before the connection is closed; nil reads for a moment.
	end func(c *net.TCPConn)
}

// Kinds returns the kinds of garbage.
func Kinds() []Garbage {
	return []Garbage{
		{Name: "random bytes", make: random},
		{Name: "a client's bytes, cut off", make: begun},
		{Name: "a client's bytes with a huge number", make: huge},
		{Name: "a client's bytes with flipped bits", make: flipped},
		{Name: "a client's bytes, then random ones", make: derailed},
		{Name: "a client's bytes twice", make: func(_ *rand.Rand, b []byte) []byte { return slices.Concat(b, b) }},
		{Name: "HTTP", make: constant("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n")},
		{Name: "TLS", make: constant("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")},
		{Name: "nothing", make: constant("")},
		{Name: "a reset", make: begun, end: func(c *net.TCPConn) { c.SetLinger(0) }},
		{Name: "an end of half a connection", make: begun, end: func(c *net.TCPConn) { c.CloseWrite(); listen(c) }},
		{Name: "silence", make: begun, end: func(*net.TCPConn) { time.Sleep(10 * listening) }},
	}
}

// Send connects to a server, sends garbage, and closes. The error is about connecting:
// how the server takes it does not matter.
func (g Garbage) Send(addr string, r *rand.Rand, recorded []byte) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * listening))
	c.Write(g.make(r, slices.Clone(recorded)))
	if g.end == nil {
		g.end = listen
	}
	g.end(c.(*net.TCPConn))
	return nil
}

// listening is how long an answer is awaited, so that the server has read.
const listening = 20 * time.Millisecond

func listen(c *net.TCPConn) {
	c.SetReadDeadline(time.Now().Add(listening))
	io.Copy(io.Discard, c)
}

func constant(s string) func(*rand.Rand, []byte) []byte {
	return func(*rand.Rand, []byte) []byte { return []byte(s) }
}

func random(r *rand.Rand, _ []byte) []byte {
	b := make([]byte, 1+r.IntN(4096))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func begun(r *rand.Rand, recorded []byte) []byte { return recorded[:r.IntN(len(recorded)+1)] }

func derailed(r *rand.Rand, recorded []byte) []byte {
	return append(begun(r, recorded), random(r, nil)...)
}

func flipped(r *rand.Rand, recorded []byte) []byte {
	for range 1 + r.IntN(8) {
		bit := r.IntN(8 * near(r, len(recorded)))
		recorded[bit/8] ^= 1 << (bit % 8)
	}
	return recorded
}

// huge writes a large number into the first bytes, where protocols have their lengths:
// in either order of bytes, in one to eight of them, or as a varint.
func huge(r *rand.Rand, recorded []byte) []byte {
	number := binary.BigEndian.AppendUint64(nil, math.MaxInt64>>(8*r.IntN(7)))
	switch r.IntN(3) {
	case 0:
		number = number[8-1-r.IntN(8):]
	case 1:
		slices.Reverse(number)
	default:
		number = binary.AppendUvarint(nil, 1<<(21+r.IntN(42)))
	}
	copy(recorded[r.IntN(near(r, len(recorded))):], number)
	return recorded
}

// near returns a bound for a place: often the first bytes, sometimes any.
func near(r *rand.Rand, n int) int { return max(1, min(n, 16<<r.IntN(13))) }
