package suite

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Strangers sees that a variant's Dial fails, and in time, at an address where
// the server is broken or not one of its protocol: huge begins a frame that
// announces 2 GB, and cut one that is cut short.
func Strangers(t *testing.T, v framework.Variant, huge, cut []byte) {
	http := []byte("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
	for _, row := range []struct {
		about string
		serve func(net.Conn)
	}{
		{"it never answers", func(c net.Conn) { io.Copy(io.Discard, c) }},
		{"it closes at once", func(net.Conn) {}},
		{"it speaks HTTP", func(c net.Conn) { c.Write(http); io.Copy(io.Discard, c) }},
		{"it announces 2 GB", func(c net.Conn) { c.Write(huge); io.Copy(io.Discard, c) }},
		{"its frame is cut short", func(c net.Conn) { c.Write(cut) }},
	} {
		t.Run(row.about, func(t *testing.T) {
			addr, stop := serveEach(t, row.serve)
			defer stop()
			failsToDial(tester{t}, v, addr, ": no answer to a first call")
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		addr, stop := serveEach(t, func(net.Conn) {})
		stop()
		failsToDial(tester{t}, v, addr, ": ")
	})
}

func failsToDial(t tester, v framework.Variant, addr, say string) {
	t.Helper()
	begin := time.Now()
	_, err := v.Dial(addr, framework.DialOptions{Conns: 2, Callers: 1})
	assert.ErrorContains(t, err, v.Framework+say)
	assert.Less(t, time.Since(begin), enough)
}

// serveEach serves each connection on loopback and closes it.
func serveEach(t testing.TB, serve func(net.Conn)) (addr string, stop func() error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return l.Addr().String(), l.Close
}
