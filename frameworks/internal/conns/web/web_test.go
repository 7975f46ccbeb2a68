package web

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// TestUnsolicitedReply: a server that answers twice is not told of in the middle of a
// result, and what others log is.
func TestUnsolicitedReply(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	addr := answerTwice(t)
	transport := Transport(addr, new(conns.Set), nil)
	defer transport.CloseIdleConnections()

	reply, err := transport.RoundTrip(request(t, URL(addr, false)))
	require.NoError(t, err)
	io.Copy(io.Discard, reply.Body)
	reply.Body.Close()
	time.Sleep(100 * time.Millisecond) // in which the transport reads the second answer
	log.Print("another message")
	assert.Regexp(t, `^\S+ \S+ another message\n$`, logged.String())
}

func request(t *testing.T, url string) *http.Request {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	return r
}

// TestUnixSocket: a URL cannot name the path, so the transport has it.
func TestUnixSocket(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	require.NoError(t, err)
	server := &http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(l)
	defer server.Close()
	var open conns.Set
	reply, err := Transport(l.Addr().String(), &open, nil).RoundTrip(request(t, URL(l.Addr().String(), false)))
	require.NoError(t, err)
	reply.Body.Close()
	assert.Equal(t, http.StatusNotFound, reply.StatusCode)
	assert.Equal(t, 1, open.Len())
	open.Close()
}

// answerTwice returns the address of a server that gives one request two answers, the
// second when the first was read.
func answerTwice(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		c.Read(make([]byte, 4096))
		for range 2 {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			time.Sleep(50 * time.Millisecond)
		}
	}()
	return l.Addr().String()
}
