package nats

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// A broker speaks first. What is none is refused in time, with what NATS has to say.
func TestStrangers(t *testing.T) {
	const short, enough = 100 * time.Millisecond, 10 * time.Second
	for _, c := range []struct {
		about, greeting, want string
		patience              time.Duration
	}{
		{"it says nothing", "", "i/o timeout", short},
		{"it greets as a mail server does", "220 mail.example.com ESMTP\r\n", "nats: ", enough},
		{"it speaks HTTP", "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "nats: ", enough},
		{"it is a broker that never answers", "INFO {\"server_id\":\"x\"}\r\n", "i/o timeout", short},
		{"it announces a message of 2 GiB", "INFO {\"server_id\":\"x\"}\r\nMSG x 1 2147483647\r\n", "nats: ", enough},
	} {
		t.Run(c.about, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			defer l.Close()
			left := make(chan struct{})
			go func() {
				defer close(left)
				if conn, err := l.Accept(); err == nil {
					io.WriteString(conn, c.greeting)
					io.Copy(io.Discard, conn)
					conn.Close()
				}
			}()
			_, err = dial(l.Addr().String(), layer.Stack{}, framework.DialOptions{Conns: 1, Patience: c.patience})
			assert.ErrorContains(t, err, c.want)
			<-left // the client has closed its connection
		})
	}
}
