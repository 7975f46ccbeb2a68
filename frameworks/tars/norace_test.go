//go:build !race

package tars

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// A server that is none, or of another protocol, is an error and no hang.
func TestDialWrongServer(t *testing.T) {
	for _, row := range []struct {
		about string
		serve func(net.Conn)
	}{
		{"it never answers", func(c net.Conn) { io.Copy(io.Discard, c) }},
		{"it closes at once", func(net.Conn) {}},
		{"it speaks HTTP", func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
			io.Copy(io.Discard, c)
		}},
		{"it announces 2 GB", func(c net.Conn) {
			c.Write([]byte{0x7f, 0xff, 0xff, 0xff, 0x10, 0x01})
			io.Copy(io.Discard, c)
		}},
		{"its frame is cut short", func(c net.Conn) { c.Write([]byte{0, 0, 0, 100, 0x10, 0x01}) }},
	} {
		t.Run(row.about, func(t *testing.T) {
			t.Parallel()
			s, err := conns.Serve("127.0.0.1:0", row.serve)
			require.NoError(t, err)
			defer s.Close()
			begin := time.Now()
			_, err = dial(s.Addr(), suite.DialOptions{Conns: 2})
			assert.ErrorContains(t, err, "tars: no answer to a first call")
			assert.Less(t, time.Since(begin), dialTimeout+10*time.Second)
		})
	}
}
