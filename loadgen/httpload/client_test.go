package httpload

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// calls is a short load: 8 callers make n calls.
func calls(n int64) loadgen.Config {
	return loadgen.Config{Workers: 8, Schedule: loadgen.ClosedLoop, Calls: n}
}

// clientOf calls the targets, and is closed with the test.
func clientOf(t *testing.T, cfg Config, targets ...Target) *Client {
	t.Helper()
	var err error
	if cfg.Targets == nil {
		cfg.Targets, err = List(targets...)
		require.NoError(t, err)
	}
	c, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// TestEachVersion of HTTP, with TLS and without, is spoken over as many connections as it needs.
func TestEachVersion(t *testing.T) {
	for _, c := range []struct {
		about       string
		secure      bool
		cfg         Config
		proto       string
		connections int64 // at most, beside the first that looks whether the server is there
	}{
		{"a connection for each call in flight", false, Config{}, "HTTP/1.1", 8},
		{"so with TLS", true, Config{}, "HTTP/1.1", 8},
		{"one connection of HTTP/2", true, Config{HTTP2: true}, "HTTP/2.0", 1},
		{"several", true, Config{HTTP2: true, Conns: 3}, "HTTP/2.0", 3},
		{"HTTP/2 without TLS", false, Config{HTTP2: true, Conns: 2}, "HTTP/2.0", 2},
	} {
		var connections atomic.Int64
		var others sync.Map
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); r.Proto != c.proto || string(body) != "a body" || r.Header.Get("X-A") != "b" || r.Header["Accept-Encoding"] != nil {
				others.Store(fmt.Sprint(r.Proto, r.Header, string(body)), true)
			}
			io.WriteString(w, "hello")
		}))
		server.Config.Protocols = new(http.Protocols)
		server.Config.Protocols.SetHTTP1(true)
		server.Config.Protocols.SetHTTP2(true)
		server.Config.Protocols.SetUnencryptedHTTP2(true)
		server.EnableHTTP2 = true
		server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				connections.Add(1)
			}
		}
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		if c.secure {
			server.StartTLS()
			c.cfg.TLS = trusting(server)
		} else {
			server.Start()
		}
		c.cfg.Header = http.Header{"x-a": {"b"}}
		// net/http closes a connection whose writer was not scheduled for 50 ms, and dials
		// another. A busy machine does that now and then, but not in five runs of five.
		for range 5 {
			connections.Store(0)
			post(t, c.cfg, server.URL, c.about)
			if connections.Load() <= c.connections+1 {
				break
			}
		}
		others.Range(func(request, _ any) bool { t.Error(c.about, request); return true })
		assert.LessOrEqual(t, connections.Load(), c.connections+1, c.about)
		server.Close()
	}
}

// post makes a run of 200 calls.
func post(t *testing.T, cfg Config, url, about string) {
	client := clientOf(t, cfg, Target{Method: "POST", URL: url, Body: []byte("a body")})
	defer client.Close()
	res, err := client.Run(t.Context(), calls(200))
	require.NoError(t, err, about)
	require.NoError(t, res.Require("errors=0,calls=200,warnings<9"), about)
}

// trusting is a configuration that trusts the server.
func trusting(server *httptest.Server) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return &tls.Config{RootCAs: pool}
}

// serve starts a server for the test.
func serve(t *testing.T, handle http.HandlerFunc) (url string) {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

func TestEachEndpointHasResultsOfItsOwn(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/broken") {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	targets := []Target{{URL: url + "/users/1"}, {URL: url + "/users/2"}, {URL: url + "/broken"}, {URL: url + "/users", Method: "POST"}}
	res, err := clientOf(t, Config{}, targets...).Run(t.Context(), calls(102))
	require.NoError(t, err)
	type counts struct {
		name         string
		sent, failed int64
	}
	var got []counts
	for _, p := range res.Parts {
		got = append(got, counts{p.Name, p.Result.Sent, p.Result.Failed})
	}
	assert.Equal(t, []counts{{"GET /users/*", 52, 0}, {"GET /broken", 25, 25}, {"POST /users", 25, 0}}, got, "of 102 calls the first two targets have one more")
	assert.Equal(t, "25 × status 500 Internal Server Error", res.Failures())
}

// TestRanksShareTargets: each target is called as often as by one process.
func TestRanksShareTargets(t *testing.T) {
	var called [5]atomic.Int64
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { called[r.URL.Path[2]-'0'].Add(1) })
	var targets []Target
	for i := range called {
		targets = append(targets, Target{URL: fmt.Sprintf("%s/x%d", url, i)})
	}
	for rank := range 2 {
		cfg := calls(10)
		cfg.Rank, cfg.Ranks = rank, 2
		_, err := clientOf(t, Config{}, targets...).Run(t.Context(), cfg)
		require.NoError(t, err)
	}
	for i := range called {
		assert.EqualValues(t, 4, called[i].Load(), i)
	}
}

func TestRepliesThatAreWrong(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusFound)
		case "/slow":
			<-r.Context().Done()
		case "/short":
			w.Header().Set("Content-Length", "10")
			io.WriteString(w, "hello")
		default:
			io.WriteString(w, "hello")
		}
	})
	hello := func(r Reply) error {
		if string(r.Body) != "hello" || r.Status != 200 || r.Header.Get("Content-Length") != "5" {
			return errors.New("other text")
		}
		return nil
	}
	for _, c := range []struct {
		about, path string
		cfg         Config
		say         string
	}{
		{"a right one", "/ok", Config{}, ""},
		{"one that is checked", "/ok", Config{Check: hello}, ""},
		{"one that is not as it should be", "/ok", Config{Check: func(Reply) error { return errors.New("wrong") }}, "4 × wrong"},
		{"a redirection", "/moved", Config{}, "4 × status 302 Found, to /ok"},
		{"a redirection that is wanted", "/moved", Config{Status: func(s int) bool { return s == 302 }}, ""},
		{"none in time", "/slow", Config{}, "4 × no reply within the timeout: context deadline exceeded"},
		{"half a body", "/short", Config{}, "4 × in the body of the reply: unexpected EOF"},
	} {
		cfg := calls(4)
		cfg.Timeout = time.Second / 5
		if c.say == "" {
			cfg.Timeout = 10 * time.Second
		}
		res, err := clientOf(t, c.cfg, Target{URL: url + c.path}).Run(t.Context(), cfg)
		require.NoError(t, err, c.about)
		assert.Equal(t, c.say, res.Failures(), c.about)
	}
}

// TestNothingIsLeftBehind: calls that did not return within Drain end all the same.
func TestNothingIsLeftBehind(t *testing.T) {
	var left atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		left.Add(1)
		<-r.Context().Done()
		left.Add(-1)
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	defer server.CloseClientConnections() // else it would wait for what is left
	cfg := calls(8)
	cfg.Schedule, cfg.Duration, cfg.Drain = loadgen.Constant(1000), 8*time.Millisecond, 100*time.Millisecond
	for _, version2 := range []bool{false, true} {
		res, err := clientOf(t, Config{HTTP2: version2}, Target{URL: server.URL}).Run(t.Context(), cfg)
		require.NoError(t, err)
		assert.Equal(t, "8 × did not return before the end of the run", res.Failures())
		assert.Eventually(t, func() bool { return left.Load() == 0 }, 10*time.Second, time.Millisecond)
	}
}

// TestHooksOfTheConfigAreCalledToo, after those of the client.
func TestHooksOfTheConfigAreCalledToo(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) {})
	var arrivals, checks atomic.Int64
	cfg := calls(20)
	cfg.OnCall = func(int, loadgen.Arrival) { arrivals.Add(1) }
	cfg.Check = func(int) error { checks.Add(1); return nil }
	_, err := clientOf(t, Config{Check: func(Reply) error { return nil }}, Target{URL: url + "/a"}, Target{URL: url + "/b"}).Run(t.Context(), cfg)
	require.NoError(t, err)
	assert.EqualValues(t, 20, arrivals.Load())
	assert.EqualValues(t, 20, checks.Load())
}

// TestWhatClientsAdd to a request is in it.
func TestWhatClientsAdd(t *testing.T) {
	var got atomic.Value
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		got.Store(fmt.Sprint(r.Host, " ", user, " ", password, " ", r.Header["A"]))
	})
	target := Target{URL: strings.Replace(url, "//", "//ann:secret@", 1), Header: http.Header{"Host": {"example.com"}, "a": {"own"}}}
	_, err := clientOf(t, Config{Header: http.Header{"A": {"all"}}}, target).Run(t.Context(), calls(1))
	require.NoError(t, err)
	assert.Equal(t, "example.com ann secret [own]", got.Load())
}

// TestAServerThatLimitsStreams is given more connections, and no call of a run fails or waits
// for ever, as they do where the transport is to be strict with the limit.
func TestAServerThatLimitsStreams(t *testing.T) {
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Millisecond) }))
	server.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 3}
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	res, err := clientOf(t, Config{HTTP2: true, TLS: trusting(server)}, Target{URL: server.URL}).Run(t.Context(), calls(200))
	require.NoError(t, err)
	assert.EqualValues(t, 200, res.OK, res.Failures())
	assert.Less(t, connections.Load(), int64(12), "8 callers need 3, and the server may not have told its limit to the first")
}

// TestRequestsThatAreSentAgain: a server closes each connection once a second request has come.
func TestRequestsThatAreSentAgain(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				if _, err := http.ReadRequest(in); err == nil {
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
					_, _ = http.ReadRequest(in)
				}
			}()
		}
	}()
	cfg := calls(5)
	cfg.Workers = 1
	client := clientOf(t, Config{}, Target{URL: "http://" + listener.Addr().String()})
	res, err := client.Run(t.Context(), cfg)
	require.NoError(t, err)
	assert.EqualValues(t, 5, res.OK)
	found := false
	for _, w := range res.Warnings {
		found = found || errors.Is(w, ErrRepeated) && strings.Contains(w.Error(), "requests were sent again: 4, since")
	}
	assert.True(t, found, res.Warnings)
	client = clientOf(t, Config{}, Target{Method: "POST", URL: "http://" + listener.Addr().String(), Body: []byte("x")})
	res, err = client.Run(t.Context(), cfg)
	require.NoError(t, err)
	assert.Positive(t, res.Failed, "what is no GET is not sent again")
}

// TestInterruptedCallsEnd as they would: none is cut off.
func TestInterruptedCallsEnd(t *testing.T) {
	begun := make(chan struct{}, 100)
	url := serve(t, func(http.ResponseWriter, *http.Request) {
		begun <- struct{}{}
		time.Sleep(50 * time.Millisecond)
	})
	ctx, interrupt := context.WithCancel(t.Context())
	go func() { <-begun; interrupt() }()
	res, err := clientOf(t, Config{}, Target{URL: url}).Run(ctx, calls(100))
	require.ErrorIs(t, err, context.Canceled)
	assert.Positive(t, res.OK)
	assert.Less(t, res.OK, int64(100))
	assert.Zero(t, res.Failed, res.Failures())
}

func TestServersThatCannotBeCalled(t *testing.T) {
	const closed = "127.0.0.1:1" // nobody listens there
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for _, c := range []struct {
		about, url string
		cfg        Config
		say        string
	}{
		{"no server", "http://" + closed, Config{}, "httpload: no connection to " + closed + ": dial tcp " + closed + ": connect: connection refused"},
		{"no host", "http://no..host/", Config{}, "httpload: the host no..host does not resolve: "},
		{"a certificate of nobody", secure.URL, Config{}, "httpload: " + strings.TrimPrefix(secure.URL, "https://") + ": its certificate is not trusted: x509: certificate signed by unknown authority"},
		{"no TLS", strings.Replace(plain, "http", "https", 1), Config{}, " does not speak TLS: connect to it without"},
		{"HTTP/1.1 alone", plain, Config{HTTP2: true}, ` does not speak HTTP/2: its answer begins with "HTTP/1.1 "`},
		{"HTTP/1.1 alone over TLS", secure.URL, Config{HTTP2: true, TLS: trusting(secure)}, " speaks TLS, but not HTTP/2 over it (ALPN h2)"},
	} {
		err := clientOf(t, c.cfg, Target{URL: c.url}).Connect(t.Context())
		assert.ErrorContains(t, err, c.say, c.about)
		assert.Equal(t, strings.Contains(c.say, "trusted"), errors.Is(err, ErrCertificate), c.about)
		res, err := clientOf(t, c.cfg, Target{URL: c.url}).Run(t.Context(), calls(1))
		assert.Nil(t, res, c.about)
		assert.ErrorContains(t, err, c.say, c.about)
	}
}

func TestBadConfigs(t *testing.T) {
	targets, err := List(Target{URL: base})
	require.NoError(t, err)
	for _, c := range []struct {
		about string
		cfg   Config
		say   string
	}{
		{"no targets", Config{}, "httpload: no Targets: make them by List or ReadFile"},
		{"fewer connections than none", Config{Targets: targets, HTTP2: true, Conns: -1}, "httpload: Conns is -1: it must not be negative"},
		{"connections of HTTP/1.1", Config{Targets: targets, Conns: 2}, "httpload: Conns is of HTTP/2: over HTTP/1.1 each call in flight has a connection of its own"},
		{"a header", Config{Targets: targets, Header: http.Header{"a b": nil}}, `httpload: Header: "a b" is not the name of a header`},
	} {
		_, err := New(c.cfg)
		assert.EqualError(t, err, c.say, c.about)
	}
}
