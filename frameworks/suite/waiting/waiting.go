// Package waiting tests, for authors of adapters with streams, that a stream ends in time while
// its server waits: the server has sent the beginning of its answer, such as headers, and then
// nothing.
package waiting

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// Ends opens streams of each variant to a server at addr that waits, and ends them by their
// deadlines, their contexts and Close.
func Ends(t *testing.T, addr string, variants ...framework.Variant) {
	for _, v := range variants {
		c, err := v.Dial(addr, framework.DialOptions{Conns: 1, Callers: 1, Patience: enough})
		require.NoError(t, err, v.ID())
		t.Cleanup(func() { c.Close() })
		streams, err := call.As[framework.StreamClient](c)
		require.NoError(t, err, v.ID())
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			tester.Waits{Client: streams, Within: enough}.End(t)
		})
	}
}

// enough is long on a busy machine, and short beside waiting for ever.
const enough = 10 * time.Second

// GRPC serves gRPC without TLS: Echo, whose messages are the same both ways, and streams, of
// which it sends the headers at once. Then it waits until the test ends, whatever deadline the
// client has told it.
func GRPC(t *testing.T) (addr string) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/grpc+proto")
		w.WriteHeader(http.StatusOK)
		if strings.HasSuffix(strings.ToLower(r.URL.Path), "/echo") {
			io.Copy(w, r.Body)
			w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
			return
		}
		w.(http.Flusher).Flush()
		<-t.Context().Done()
	}))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}
