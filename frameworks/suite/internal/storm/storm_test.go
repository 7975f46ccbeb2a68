package storm

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// echoing is a server that sends back what arrives.
func echoing(t *testing.T) (addr string) {
	addr, _ = tester.Serve(t, func(c net.Conn) { io.Copy(c, c) })
	return addr
}

// TestFaultsHappen sends a number at a time until the fault has happened, and then sees
// whether all of them have come back.
func TestFaultsHappen(t *testing.T) {
	for _, f := range Faults() {
		f.After = 1000
		for seed := range uint64(2) {
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				p, err := NewProxy(echoing(t), f, seed)
				require.NoError(t, err)
				defer p.Close()
				intact := exchange(t, p)
				assert.Positive(t, p.Made())
				assert.Equal(t, f.Harmless, intact, "seed %d", seed)
				assert.NotEmpty(t, p.Recorded())
				p.dice.mu.Lock()
				assert.True(t, f.Every() || p.chunks >= f.After, "it happened at chunk %d", p.chunks)
				p.dice.mu.Unlock()
			})
		}
	}
}

// exchange reports whether what it sent came back, until the fault has happened.
func exchange(t *testing.T, p *Proxy) bool {
	c, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	defer c.Close()
	for n := range uint32(1 << 20) {
		sent := binary.BigEndian.AppendUint32(nil, 0x61000000+n)
		c.SetDeadline(time.Now().Add(2 * time.Second))
		c.Write(sent)
		got := make([]byte, len(sent))
		if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, sent) {
			return false
		}
		if p.fault.Harmless && p.Made() > 0 {
			return true
		}
	}
	return true
}

// TestGarbageIsTheSame for the same seed, and needs no byte of a client but one.
func TestGarbageIsTheSame(t *testing.T) {
	for _, g := range Kinds() {
		for n := range uint64(200) {
			seeded := func() *rand.Rand { return rand.New(rand.NewPCG(n, 0)) }
			recorded := []byte("client")[:1+n%6]
			first := g.make(seeded(), bytes.Clone(recorded))
			assert.Equal(t, first, g.make(seeded(), bytes.Clone(recorded)), g.Name)
		}
	}
}
