// Package astray is a proxy that hands replies of HTTP/1.1 to other calls than theirs, and the
// test that a run counts them.
package astray

import (
	"bytes"
	"context"
	"io"
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
	every = 40
	first = 2000
)

// bodies hands out the bodies of replies.
type bodies struct {
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
	if b.n++; b.n > first && b.n%every == 0 && len(before) == len(own) {
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
	reverse.ModifyResponse = new(bodies).modify
	proxy := httptest.NewServer(reverse)
	defer proxy.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, said, code, err := host.Again(ctx, "-test.run=^$", "-test.bench=Echo", "-test.benchtime=5000x",
		"-size=1KiB", "-conc="+conc, "-server="+v.ID()+"@"+strings.TrimPrefix(proxy.URL, "http://"))
	require.NoError(t, err)
	assert.Equal(t, 1, code, "%s%s", out, said)
	assert.Regexp(t, `\s[1-9][0-9.]* errors`, out)
	assert.Contains(t, said, "× reply: not what was sent")
}
