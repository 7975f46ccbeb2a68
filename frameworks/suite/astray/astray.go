// Package astray has proxies that hand replies to other calls than theirs, and the test that
// a run counts them.
package astray

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
)

// every is after how many replies one goes astray. The first are those of the greeting, the
// trial and the warm-up, which would end the run.
const (
	every       = 40
	firstHTTP   = 2000
	firstFramed = 10_000 // they are faster, and more calls warm them up
)

// bodies hands out the bodies of replies.
type bodies struct {
	first  int
	mu     sync.Mutex
	n      int
	before []byte
}

// handOut returns the body for a reply: mostly its own, else that of the reply before if it
// has the same length.
func (b *bodies) handOut(own []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.before
	b.before = own
	if b.n++; b.n > b.first && b.n%every == 0 && len(before) == len(own) {
		return before
	}
	return own
}

// modify is an httputil.ReverseProxy.ModifyResponse.
func (b *bodies) modify(r *http.Response) error {
	own, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body.Close()
	r.Body = io.NopCloser(bytes.NewReader(b.handOut(own)))
	return nil
}

// HTTP runs Echo of a variant over HTTP/1.1 by this test binary, through a proxy that hands
// out replies of before. The run must count them and exit with 1.
func HTTP(t *testing.T, v framework.Variant) {
	if testing.Short() {
		t.Skip("it makes runs of this binary")
	}
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	for _, conc := range []string{"1", "10"} { // the reply before is of the same worker, or of another
		countsThem(t, v, s.Addr(), conc)
	}
}

func countsThem(t *testing.T, v framework.Variant, server, conc string) {
	reverse := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: server})
	reverse.ModifyResponse = (&bodies{first: firstHTTP}).modify
	proxy := httptest.NewServer(reverse)
	defer proxy.Close()
	runs(t, v, strings.TrimPrefix(proxy.URL, "http://"), conc, 2*firstHTTP)
}

// Frames is HTTP for a protocol whose replies are a header of a fixed size and a body. Length
// returns the length of the body, in bytes. Headers stay those of their calls.
func Frames(t *testing.T, v framework.Variant, header int, length func(header []byte) int) {
	if testing.Short() {
		t.Skip("it makes runs of this binary")
	}
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	for _, conc := range []string{"1", "10"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		f := &framed{bodies: bodies{first: firstFramed}, server: s.Addr(), header: header, length: length}
		go f.accept(l)
		runs(t, v, l.Addr().String(), conc, 2*firstFramed)
	}
}

// framed is a proxy that cuts replies into frames.
type framed struct {
	bodies
	server string
	header int
	length func([]byte) int
}

func (f *framed) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		go f.serve(client)
	}
}

func (f *framed) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", f.server)
	if err != nil {
		return
	}
	go func() {
		io.Copy(server, client)
		server.Close()
	}()
	for header := make([]byte, f.header); ; {
		if _, err := io.ReadFull(server, header); err != nil {
			return
		}
		body := make([]byte, f.length(header))
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		if _, err := client.Write(append(bytes.Clone(header), f.handOut(body)...)); err != nil {
			return
		}
	}
}

// runs makes a run of this binary. It must count the replies that went astray.
func runs(t *testing.T, v framework.Variant, addr, conc string, calls int) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, said, code, err := host.Again(ctx, "-test.run=^$", "-test.bench=Echo", fmt.Sprintf("-test.benchtime=%dx", calls),
		"-size=1KiB", "-conc="+conc, "-server="+v.ID()+"@"+addr)
	require.NoError(t, err)
	assert.Equal(t, 1, code, "%s%s", out, said)
	assert.Regexp(t, `\s[1-9][0-9.]* errors`, out)
	assert.Contains(t, said, "× reply: not what was sent")
}
