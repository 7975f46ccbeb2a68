//go:build !race

package dubbo

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		{"it announces a body of 2 GB", func(c net.Conn) {
			c.Write([]byte{0xda, 0xbb, 0x02, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff})
			io.Copy(io.Discard, c)
		}},
		{"its frame is cut short", func(c net.Conn) { c.Write([]byte{0xda, 0xbb, 0x02, 20, 0}) }},
	} {
		t.Run(row.about, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer l.Close()
			go func() {
				for c, err := l.Accept(); err == nil; c, err = l.Accept() {
					go func() {
						defer c.Close()
						row.serve(c)
					}()
				}
			}()
			begin := time.Now()
			for _, v := range Variants() {
				_, err = v.Dial(l.Addr().String(), suite.DialOptions{Conns: 2, Callers: 1})
				assert.ErrorContains(t, err, "dubbo: no answer to a first call", v.ID())
			}
			assert.Less(t, time.Since(begin), 2*dialTimeout+10*time.Second)
		})
	}
}

// Nobody listens.
func TestDialNobody(t *testing.T) {
	addr, _, err := freePort("127.0.0.1:0")
	require.NoError(t, err)
	_, err = Variants()[0].Dial(addr, suite.DialOptions{Conns: 2, Callers: 1})
	assert.ErrorContains(t, err, "dubbo: ")
}
