package host

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// status makes a request and returns the status of its answer.
func status(t *testing.T, url string, header http.Header) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	r.Header = header
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

func TestOthersGiveAChildNoOrders(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	other := launch(t, Config{Serve: "echo"})
	at := "http://" + h.Ready().Control
	for about, header := range map[string]http.Header{
		"nothing":                   {},
		"a web page in a browser":   {"Origin": {"https://example.com"}},
		"an empty secret":           {secretHeader: {""}},
		"another child's secret":    {secretHeader: {other.secret}},
		"the beginning of a secret": {secretHeader: {h.secret[:len(h.secret)-1]}},
		"more than the secret":      {secretHeader: {h.secret + "x"}},
	} {
		for _, path := range []string{"/", pathFigures, pathResetPeak, pathHandled, pathSpans, pathStartProfile + "?kind=cpu", pathStopProfile + "?kind=cpu", "/debug/pprof/heap", "//debug/pprof/", "/" + other.secret + "/debug/pprof/"} {
			assert.Equal(t, http.StatusForbidden, status(t, at+path, header), "%s: %s", about, path)
		}
	}
	require.NoError(t, h.StartProfile(t.Context(), "cpu"), "nobody else has started one")
	require.NoError(t, h.StopProfile(t.Context(), "cpu", io.Discard))
	assert.Equal(t, http.StatusOK, status(t, at+pathFigures, http.Header{secretHeader: {h.secret}}))
	assert.Equal(t, http.StatusOK, status(t, h.PprofURL(), nil))
	assert.Equal(t, http.StatusOK, status(t, h.PprofURL()+"goroutine?debug=1", nil))
}

func TestSecrets(t *testing.T) {
	assert.GreaterOrEqual(t, len(newSecret()), 26, "128 bits in base 32")
	assert.NotEqual(t, newSecret(), newSecret())
	h := launch(t, Config{Serve: "echo"})
	assert.Equal(t, `""`, ask(t, h, "secret"), "processes that the server starts do not inherit it")
	t.Setenv(envSecret, "the secret of this process")
	assert.Equal(t, `""`, ask(t, launch(t, Config{Serve: "echo"}), "secret"))
}

func TestAProcessWithoutASecretTakesNoOrders(t *testing.T) {
	for _, header := range []http.Header{{}, {secretHeader: {""}}, {secretHeader: {"x"}}} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.Header = header
		guarded("", http.NotFoundHandler()).ServeHTTP(w, r)
		assert.Equal(t, http.StatusForbidden, w.Code)
		assert.Equal(t, "close", w.Header().Get("Connection"))
	}
}

// TestAnswersAreLimited: those that are kept in memory. A profile may be larger than
// what is taken of another machine.
func TestAnswersAreLimited(t *testing.T) {
	const large = 300 << 20
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		chunk := bytes.Repeat([]byte{' '}, 1<<20)
		for n := 0; r.URL.Path == pathFigures || n < large; n += len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})}
	go s.Serve(l)
	defer s.Close()
	h := &Host{config: Config{ControlTimeout: time.Minute}, ready: Ready{Control: l.Addr().String()}, done: make(chan struct{})}
	_, err = h.Figures(t.Context())
	assert.ErrorContains(t, err, "more than 1048576 bytes")
	got := new(counter)
	assert.NoError(t, h.StopProfile(t.Context(), "trace", got))
	assert.EqualValues(t, large, *got)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func TestReadinessLinesAreLimited(t *testing.T) {
	r, w := io.Pipe()
	defer r.Close()
	go io.Copy(w, strings.NewReader(strings.Repeat("x", 2*maxReady)))
	_, err := readLine(r)
	assert.ErrorContains(t, err, "more than 1048576 bytes")
	line, err := readLine(bytes.NewReader(append(bytes.Repeat([]byte{'x'}, maxReady-1), '\n')))
	assert.NoError(t, err)
	assert.Len(t, line, maxReady)
}
