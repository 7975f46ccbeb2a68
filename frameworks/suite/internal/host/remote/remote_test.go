package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
)

func TestMain(m *testing.M) {
	if host.Serving() != "" {
		os.Exit(host.Serve(startTestServer, nil))
	}
	os.Exit(m.Run())
}

// testServer answers a line with the token in its environment. The line "die" ends it.
type testServer struct{ net.Listener }

func startTestServer(id, _ string) (host.Server, error) {
	if id == "fails" {
		return nil, errors.New("the port is taken")
	}
	l, err := net.Listen("tcp", host.ListenAddr())
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(c).ReadString('\n')
			if line == "die\n" {
				fmt.Println("the last words")
				os.Exit(3)
			}
			fmt.Fprintf(c, "token=%s\n", os.Getenv(host.EnvToken))
			c.Close()
		}
	}()
	return testServer{l}, err
}

func (s testServer) Addr() string { return s.Listener.Addr().String() }

const (
	secret   = "a token of some length"
	patience = 20 * time.Second // bounds what should take a moment, on a busy machine
)

// serving serves until the test ends.
func serving(t *testing.T, c Config) (addr string, stop func()) {
	l, err := Listen("127.0.0.1:0", secret)
	require.NoError(t, err)
	c.Token = secret
	if c.About.System == "" {
		c.About.System = "a test"
	}
	if c.Prepare == nil {
		c.Prepare = prepare
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, c) }()
	stop = func() {
		cancel()
		assert.NoError(t, <-ended)
		ended <- nil
	}
	t.Cleanup(stop)
	return l.Addr().String(), stop
}

func prepare(q Request) (host.Config, error) {
	if q.Serve != "echo" && q.Serve != "fails" {
		return host.Config{}, fmt.Errorf("no variant %q is served here", q.Serve)
	}
	return host.Config{Serve: q.Serve}, nil
}

func dial(t *testing.T, addr string) *Machine {
	m, err := Dial(t.Context(), addr, Secret{Token: secret})
	require.NoError(t, err)
	return m
}

func start(t *testing.T, m *Machine) *Host {
	h, err := m.Start(t.Context(), Request{Serve: "echo"})
	require.NoError(t, err)
	t.Cleanup(func() { h.Stop() })
	return h
}

// say sends a line to a server and returns its answer. The error says that the server
// does not exist any more.
func say(h *Host, line string) (string, error) {
	c, err := net.DialTimeout("tcp", h.Addr(), patience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	fmt.Fprintln(c, line)
	answer, err := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(answer), err
}

func requireGone(t *testing.T, h *Host) {
	require.Eventually(t, func() bool { _, err := say(h, "hello"); return err != nil }, patience, 10*time.Millisecond)
}

func requireDone(t *testing.T, h *Host) {
	select {
	case <-h.Done():
	case <-time.After(patience):
		require.Fail(t, "its end is not known")
	}
}

func TestAServerOnAnotherMachine(t *testing.T) {
	t.Setenv(host.EnvToken, secret)
	addr, _ := serving(t, Config{})
	m := dial(t, addr)
	assert.Equal(t, "a test", m.About().System)
	h := start(t, m)
	answer, err := say(h, "hello")
	require.NoError(t, err)
	assert.Equal(t, "token=", answer, "a child does not inherit it")

	cpu, err := h.CPU()
	require.NoError(t, err)
	assert.Positive(t, cpu)
	require.NoError(t, h.ResetPeak(t.Context()))
	_, err = h.Handled(t.Context())
	assert.ErrorContains(t, err, "unsupported", "this one does not count")
	_, err = h.Spans(t.Context())
	assert.ErrorContains(t, err, "spans of ", "nor these")
	f, err := h.Figures(t.Context())
	require.NoError(t, err)
	assert.Positive(t, f.Allocs)

	var profile bytes.Buffer
	require.NoError(t, h.StartProfile(t.Context(), "cpu"))
	require.NoError(t, h.StopProfile(t.Context(), "cpu", &profile))
	assert.Positive(t, profile.Len())
	assert.ErrorContains(t, h.StartProfile(t.Context(), "no such"), `no profile "no such"`)

	if h.Pause() == nil { // not every system can pause a process
		require.NoError(t, h.Resume())
	}
	assert.NoError(t, h.Err())
	assert.NoError(t, h.Stop())
	requireDone(t, h)
	assert.NoError(t, h.Err(), "it was asked to stop")
	requireGone(t, h)
	_, err = h.CPU()
	assert.ErrorIs(t, err, errGone)
}

func TestHowServersEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about string
		end   func(h *Host)
		say   string
	}{
		{"by itself, with its last words", func(h *Host) { say(h, "die") }, "the last words"},
		{"killed", (*Host).Kill, "killed"},
	} {
		t.Run(c.about, func(t *testing.T) {
			addr, _ := serving(t, Config{})
			h := start(t, dial(t, addr))
			c.end(h)
			requireDone(t, h)
			assert.ErrorContains(t, h.Err(), c.say)
		})
	}
}

func TestTheEndOfTheServingSideEndsItsServers(t *testing.T) {
	t.Parallel()
	addr, stop := serving(t, Config{})
	h := start(t, dial(t, addr))
	stop()
	requireGone(t, h)
}

// TestIdleServersAreStopped has a client that lives, and one that has gone without
// stopping its server.
// Slow: on a busy machine a client that lives may not ask for seconds.
func TestIdleServersAreStopped(t *testing.T) {
	t.Parallel()
	const idle = 6 * time.Second
	addr, _ := serving(t, Config{Idle: idle})
	m := dial(t, addr)
	kept, left := start(t, m), start(t, m)
	left.leave()
	requireGone(t, left)
	time.Sleep(2 * idle)
	_, err := say(kept, "hello")
	assert.NoError(t, err, "somebody asks about it")
	_, err = left.CPU()
	assert.ErrorContains(t, err, "nobody asked about it for 6s")
	assert.NoError(t, kept.Err())
}

func TestStarts(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{Servers: 2})
	m := dial(t, addr)
	_, err := m.Start(t.Context(), Request{Serve: "/bin/sh"})
	assert.ErrorContains(t, err, addr+`: no variant "/bin/sh" is served here`)
	_, err = m.Start(t.Context(), Request{Serve: "fails"})
	assert.ErrorContains(t, err, "the port is taken")
	first, _ := start(t, m), start(t, m)
	_, err = m.Start(t.Context(), Request{Serve: "echo"})
	assert.ErrorContains(t, err, "2 servers run already, the most at once")
	require.NoError(t, first.Stop())
	start(t, m)
}

// asked is a client that takes any key.
func asked(t *testing.T) *http.Client {
	transport := &http.Transport{TLSClientConfig: pinned("")}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	for _, token := range []string{"", "another", secret + "x", strings.Repeat("x", 10_000)} {
		_, err := Dial(t.Context(), addr, Secret{Token: token})
		assert.ErrorContains(t, err, addr+": refused: the token is missing or is not the one of the serving side")
		assert.NotContains(t, err.Error(), secret)
	}
	for about, c := range map[string]struct {
		header []string
		status int
	}{
		"no token":            {nil, http.StatusUnauthorized},
		"the right one":       {[]string{secret}, http.StatusOK},
		"two, one is right":   {[]string{secret, "x"}, http.StatusUnauthorized},
		"it is no plain text": {[]string{"Bearer " + secret}, http.StatusUnauthorized},
	} {
		for _, path := range []string{"/machine", "/servers/1/cpu", "/nowhere"} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", "https://"+addr+path, nil)
			require.NoError(t, err)
			r.Header[tokenHeader] = c.header
			response, err := asked(t).Do(r)
			require.NoError(t, err)
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			assert.Equal(t, c.status == http.StatusUnauthorized, response.StatusCode == http.StatusUnauthorized, "%s: %s", about, path)
			assert.NotContains(t, string(text), secret)
		}
	}
}

func TestListenBeyondLoopbackNeedsAToken(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0"} {
		for _, token := range []string{"", "short"} {
			_, err := Listen(addr, token)
			assert.ErrorContains(t, err, addr+" is not a loopback address: a token of 16 characters or more is needed")
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(addr, "")
		require.NoError(t, err, addr)
		l.Close()
	}
	_, err := Listen("nonsense", secret)
	assert.ErrorContains(t, err, "nonsense")
}

func TestOversizedBodiesAreRefused(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	m := dial(t, addr)
	_, err := m.Start(t.Context(), Request{Serve: strings.Repeat("x", maxBody)})
	assert.ErrorContains(t, err, "too large")
	r, err := http.NewRequestWithContext(t.Context(), "POST", "https://"+addr+"/servers", strings.NewReader(`{"Serve":"`+strings.Repeat("x", maxBody)))
	require.NoError(t, err)
	r.Header.Set(tokenHeader, secret)
	response, err := asked(t).Do(r)
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode)
}

func TestAMachineThatIsNotThere(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	silent := l.Addr().String() // the kernel accepts connections, and nobody answers
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = Dial(ctx, silent, Secret{Token: secret})
	assert.ErrorContains(t, err, silent+": ")
	_, err = Dial(t.Context(), "127.0.0.1:1", Secret{Token: secret}) // nobody listens there
	assert.ErrorContains(t, err, "connection refused")
}
