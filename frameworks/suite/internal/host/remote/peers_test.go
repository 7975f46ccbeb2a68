package remote

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"10.0.0.2:7000", "localhost:7000", "node-1.example.com:1", "a_b:65535", "[::1]:7000", "[fe80::1%eth0]:7000"} {
		assert.NoError(t, checkAddr(addr), addr)
	}
	for _, addr := range []string{
		"", "localhost", "127.0.0.2", ":7000", "localhost:", "localhost:http", "localhost:0", "localhost:65536", "localhost:-1", "localhost:+1",
		"http://localhost:7000", "localhost:7000/", "localhost:7000/path", "localhost/path:7000", "localhost:7000?x", "localhost:7000#x",
		"user:pw@localhost:7000", "user@localhost:7000", "::1:7000", "local host:7000", "localhost\n:7000", "[]:7000", `\\host:7000`,
	} {
		err := checkAddr(addr)
		assert.ErrorContains(t, err, "want HOST:PORT, as in 10.0.0.2:7000", addr)
		assert.NotContains(t, err.Error(), "\n")
		_, err = Dial(t.Context(), addr, Secret{Token: secret})
		assert.ErrorContains(t, err, "want HOST:PORT", addr)
	}
}

// peer is an HTTP server that answers as a serving side does, or pretends to.
func peer(t *testing.T, answer http.HandlerFunc) (addr string) {
	s := httptest.NewTLSServer(answer)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func TestWhatIsNoServingSide(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	other := peer(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1) })
	for _, tt := range []struct {
		about  string
		answer http.HandlerFunc
		say    string
	}{
		{"another HTTP server", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"System":"x"}`) }, `: no serving side of rpcbench (-serve) listens there, or one of an older version: the answer is 200 OK: {"System":"x"}`},
		{"one that has no such page", http.NotFound, "no serving side of rpcbench (-serve) listens there, or one of an older version: the answer is 404 Not Found: 404 page not found"},
		{"one that wants another password", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "the answer is 401 Unauthorized"},
		{"one that sends us elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+other+"/", http.StatusTemporaryRedirect)
		}, "the answer is 307 Temporary Redirect"},
		{"one that says a lot", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("x", 10_000)) }, "the answer is 200 OK: " + strings.Repeat("x", 100)},
	} {
		_, err := Dial(t.Context(), peer(t, tt.answer), Secret{Token: secret})
		assert.ErrorContains(t, err, tt.say, tt.about)
		assert.NotContains(t, err.Error(), secret)
		assert.Less(t, len(err.Error()), 300)
	}
	redirect := pretend(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+other+"/", http.StatusTemporaryRedirect)
	})
	_, err := Dial(t.Context(), redirect, Secret{Token: secret})
	assert.Error(t, err)
	assert.Zero(t, asked.Load(), "no token goes elsewhere")
}

// pretend is a peer that says that it is a serving side.
func pretend(t *testing.T, answer http.HandlerFunc) (addr string) {
	return peer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(servingHeader, "1")
		answer(w, r)
	})
}

// TestRefusalsWithoutAText are told by their status.
func TestRefusalsWithoutAText(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusUnauthorized:        ": refused: 401 Unauthorized",
		http.StatusGone:                ": the server is gone: 410 Gone",
		http.StatusInternalServerError: ": 500 Internal Server Error",
	} {
		addr := pretend(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		_, err := Dial(t.Context(), addr, Secret{Token: secret})
		assert.EqualError(t, err, addr+want)
	}
}

func TestOtherProtocols(t *testing.T) {
	t.Parallel()
	addr := accepting(t, func(c net.Conn) { io.WriteString(c, "SSH-2.0-\x1b[2JOpenSSH\n") })
	_, err := Dial(t.Context(), addr, Secret{Token: secret})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "\x1b")
}

const (
	forged = "x\nBenchmarkEcho 1 1 ns/op\n\x1b[2J"
	shown  = `x\nBenchmarkEcho 1 1 ns/op\n\x1b[2J`
)

func TestTextsOfAMachineAreShownInOneLine(t *testing.T) {
	t.Parallel()
	about := About{System: forged, GoVersion: forged, Versions: map[string]string{forged: forged}, Settings: map[string]string{forged: forged}}
	var reply started
	reply.Addr, reply.GoVersion, reply.Versions, reply.Settings = "127.0.0.1:1", about.GoVersion, about.Versions, about.Settings
	addr := pretend(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/machine":
			answer(w, about, nil)
		case r.URL.Path == "/servers":
			answer(w, reply, nil)
		case r.Method == http.MethodDelete, strings.HasSuffix(r.URL.Path, "/wait"):
			answer(w, state{Ended: true, Error: forged}, nil)
		case strings.HasSuffix(r.URL.Path, "/cpu"):
			http.Error(w, forged, http.StatusGone)
		default:
			http.Error(w, forged, http.StatusUnauthorized)
		}
	})
	m := dial(t, addr)
	assert.Equal(t, About{System: shown, GoVersion: shown, Versions: map[string]string{shown: shown}, Settings: map[string]string{shown: shown}}, m.About())
	h, err := m.Start(t.Context(), Request{})
	require.NoError(t, err)
	assert.Equal(t, host.Ready{Addr: "127.0.0.1:1", GoVersion: shown, Versions: m.About().Versions, Settings: m.About().Settings}, h.Ready())
	requireDone(t, h)
	assert.EqualError(t, h.Err(), shown)
	_, err = h.CPU()
	assert.ErrorIs(t, err, errGone)
	for _, err := range []error{err, h.Pause(), h.Stop()} {
		assert.ErrorContains(t, err, `BenchmarkEcho 1 1 ns/op\n\x1b[2J`)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A server that ran until Stop has no error but that of its end.
func TestWhatStopSaysIsShownInOneLine(t *testing.T) {
	t.Parallel()
	m := dial(t, pretend(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/wait"):
			<-r.Context().Done()
		case r.Method == http.MethodDelete:
			answer(w, state{Ended: true, Error: forged}, nil)
		default:
			answer(w, map[string]string{"Addr": "127.0.0.1:1"}, nil)
		}
	}))
	h, err := m.Start(t.Context(), Request{})
	require.NoError(t, err)
	assert.EqualError(t, h.Stop(), shown)
}

func TestAddressesOfServers(t *testing.T) {
	t.Parallel()
	for addr, say := range map[string]string{"nonsense\n": `its server listens on "nonsense\n"`, "127.0.0.1:0": "", "127.0.0.1:x": "", "": ""} {
		m := dial(t, pretend(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, map[string]string{"Addr": addr}, nil) }))
		_, err := m.Start(t.Context(), Request{})
		assert.ErrorContains(t, err, say, addr)
		assert.Error(t, err, addr)
	}
}

// endless writes until the client hangs up.
func endless(w http.ResponseWriter, _ *http.Request) {
	for chunk := bytes.Repeat([]byte{' '}, 64<<10); ; {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func TestEndlessReplies(t *testing.T) {
	t.Parallel()
	_, err := Dial(t.Context(), pretend(t, endless), Secret{Token: secret})
	assert.ErrorContains(t, err, "its reply: more than 1048576 bytes")

	_, err = Dial(t.Context(), peer(t, endless), Secret{Token: secret})
	assert.ErrorContains(t, err, "no serving side")

	m := dial(t, pretend(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/machine" {
			endless(w, r)
			return
		}
		io.WriteString(w, "{}"+strings.Repeat(" ", maxReply-2))
	}))
	assert.Empty(t, m.About().Versions, "a machine may say nothing of itself")
	assert.NotNil(t, m.About().Versions)
}

// TestEndlessProfiles are read without a connection: 256 MiB of TLS take the race detector
// ten seconds.
func TestEndlessProfiles(t *testing.T) {
	t.Parallel()
	var got discarded
	assert.ErrorContains(t, read(spaces{}, &got), "more than 268435456 bytes")
	assert.EqualValues(t, maxProfile, got)
}

// spaces is text without an end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) { return len(p), nil }

type discarded int64

func (d *discarded) Write(p []byte) (int, error) {
	*d += discarded(len(p))
	return len(p), nil
}

// connected sends text to a serving side and returns the connection.
func connected(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	c, err := tls.DialWithDialer(&net.Dialer{Timeout: patience}, "tcp", addr, pinned(""))
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	_, err = io.WriteString(c, text)
	require.NoError(t, err)
	c.SetReadDeadline(time.Now().Add(patience))
	return c
}

// requireClosed reads until the other side closes the connection.
func requireClosed(t *testing.T, c net.Conn, about string) (text string) {
	t.Helper()
	b, err := io.ReadAll(c)
	var late net.Error
	require.False(t, errors.As(err, &late) && late.Timeout(), "%s: it is still open", about)
	return string(b)
}

// slow is a time limit that clients of these tests exceed. It bounds the handshake of TLS
// too, so it is a hundred times what that takes: a busy machine needs the room.
const slow = 2 * time.Second

func TestConnectionsThatAreClosed(t *testing.T) {
	t.Parallel()
	head := " HTTP/1.1\r\nHost: x\r\nRpcbench-Token: " + secret + "\r\n"
	for _, tt := range []struct {
		about, text string
		times       times
		want        string
	}{
		{"no token", "GET /machine HTTP/1.1\r\nHost: x\r\n\r\n", times{time.Hour, time.Hour, time.Hour}, "HTTP/1.1 401 "},
		{"no token, and a body that does not come", "POST /servers HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", times{slow, time.Hour, time.Hour}, "HTTP/1.1 401 "},
		{"nothing is asked", "", times{slow, time.Hour, time.Hour}, ""},
		{"half a question", "GET /machine HTTP/1.1\r\nHo", times{slow, time.Hour, time.Hour}, ""},
		{"half a body", "POST /servers" + head + "Content-Length: 100\r\n\r\n{", times{slow, time.Hour, time.Hour}, "HTTP/1.1 400 "},
		{"no more questions", "GET /machine" + head + "\r\n", times{time.Hour, time.Hour, slow}, "HTTP/1.1 200 "},
	} {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			addr, _ := serving(t, Config{times: tt.times})
			got := requireClosed(t, connected(t, addr, tt.text), tt.about)
			assert.Truef(t, strings.HasPrefix(got, tt.want), "%.200s", got)
		})
	}
}

// A client that takes no answer, of which the kernel keeps a part for it, is given up.
func TestAnswersThatNobodyTakes(t *testing.T) {
	t.Parallel()
	long := About{System: strings.Repeat("x", 16<<20)}
	addr, _ := serving(t, Config{About: long, times: times{time.Hour, slow, slow}})
	c := connected(t, addr, "GET /machine HTTP/1.1\r\nHost: x\r\nRpcbench-Token: "+secret+"\r\n\r\n")
	time.Sleep(2 * slow)
	assert.Less(t, len(requireClosed(t, c, "the answer")), len(long.System))
}

// Questions whose answers take longer than a client may take to ask are answered.
func TestAnswersMayTakeTheirTime(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{Idle: 9 * time.Second, times: times{slow, time.Hour, time.Hour}})
	h := start(t, dial(t, addr)) // takes longer than that
	begin := time.Now()
	var s state
	require.NoError(t, h.call(t.Context(), patience, "GET", "/wait", &s))
	assert.False(t, s.Ended)
	assert.GreaterOrEqual(t, time.Since(begin), slow, "a third of Idle")
}

func TestUsualTimes(t *testing.T) {
	t.Parallel()
	u := usual()
	assert.Equal(t, 10*time.Second, u.request)
	assert.Greater(t, u.idle, clientIdle+controlTimeout, "a client never asks on a connection that is just being closed")
	assert.Greater(t, u.reply, max(startTimeout, profileTimeout))
	assert.Greater(t, u.reply, longestWait+controlTimeout)
	p := &pool{config: Config{times: times{1, 2, 3}}}
	s := p.server()
	assert.Equal(t, []time.Duration{1, 2, 3}, []time.Duration{s.ReadHeaderTimeout, s.WriteTimeout, s.IdleTimeout})
	assert.Zero(t, s.ReadTimeout, "it would end the contexts of requests")
}

// notes collects what a serving side tells.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) tell(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, text)
}

func (n *notes) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.list...)
}

func TestPanicsAreTold(t *testing.T) {
	t.Parallel()
	var told notes
	addr, _ := serving(t, Config{Tell: told.tell, Prepare: func(Request) (host.Config, error) { panic("a fault of ours") }})
	_, err := dial(t, addr).Start(t.Context(), Request{})
	assert.Error(t, err)
	assert.Eventually(t, func() bool { return len(told.all()) > 0 }, patience, time.Millisecond)
	assert.Regexp(t, `^http: panic serving 127\.0\.0\.1:\d+: a fault of ours$`, told.all()[0])
}

func TestStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	var told notes
	addr, _ := serving(t, Config{times: times{time.Hour, time.Hour, time.Hour}, Tell: told.tell})
	owner := connected(t, addr, "")
	answered := bufio.NewReader(owner)
	ask := func() {
		io.WriteString(owner, "GET /machine HTTP/1.1\r\nHost: x\r\nRpcbench-Token: "+secret+"\r\n\r\n")
		response, err := http.ReadResponse(answered, nil)
		require.NoError(t, err, "who has shown the token stays")
		io.Copy(io.Discard, response.Body)
		assert.Equal(t, http.StatusOK, response.StatusCode)
	}
	ask()
	const crowd = maxStrangers + 100
	var open []net.Conn
	for range crowd { // before TLS, whose handshakes would take seconds
		c, err := net.DialTimeout("tcp", addr, patience)
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		open = append(open, c)
	}
	for _, c := range open[:crowd-maxStrangers] {
		c.SetReadDeadline(time.Now().Add(patience))
		requireClosed(t, c, "one of the oldest")
	}
	ask()
	dial(t, addr)
	c := open[crowd-1]
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	var late net.Error
	assert.True(t, errors.As(err, &late) && late.Timeout(), "the newest strangers stay: %v", err)
	assert.Equal(t, []string{"1256 connections have not shown the token: the oldest is closed for each new one"}, told.all())
}

func TestTheMostStrangers(t *testing.T) {
	t.Parallel()
	d := newDoor(nil, nil)
	visits := make([]visit, maxStrangers+2)
	for i := range visits {
		visits[i].door, visits[i].close = d, func() error { return nil }
		oldest := d.add(&visits[i])
		if i < maxStrangers {
			assert.Nil(t, oldest, "%d are not too many", i+1)
			continue
		}
		assert.Same(t, &visits[i-maxStrangers], oldest)
		assert.NoError(t, oldest.Close())
		assert.Len(t, d.strangers, maxStrangers)
	}
	assert.Equal(t, 1256, maxStrangers)
	for files, most := range map[int]int{0: maxStrangers, 1 << 20: maxStrangers, 5000: 1250, 1024: 256} {
		assert.Equal(t, most, mostStrangers(files), "%d files may be open", files)
	}
}

// A server that comes to be while its serving side ends is ended too.
func TestAStartThatComesTooLate(t *testing.T) {
	t.Parallel()
	h, err := host.Start(t.Context(), host.Config{Serve: "echo"})
	require.NoError(t, err)
	defer h.Kill()
	p := &pool{closed: true, starting: 1}
	_, err = p.add(h, 0, nil)
	assert.EqualError(t, err, "this machine serves no more")
	assert.Error(t, h.Err(), "it was killed")
	assert.Zero(t, p.starting)
}

// A stranger that goes makes room.
func TestStrangersThatGo(t *testing.T) {
	t.Parallel()
	var told notes
	addr, _ := serving(t, Config{Tell: told.tell})
	for range 2 * maxStrangers {
		_, err := Dial(t.Context(), addr, Secret{Token: "wrong"})
		assert.ErrorContains(t, err, "refused")
	}
	assert.Empty(t, told.all())
}

// full is a listener that fails a few times.
type full struct {
	net.Listener
	fails int
}

func (f *full) Accept() (net.Conn, error) {
	if f.fails--; f.fails >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}

func TestFailuresToAcceptAreTold(t *testing.T) {
	t.Parallel()
	l, err := Listen("127.0.0.1:0", secret)
	require.NoError(t, err)
	var told notes
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), &full{l, 3}, Config{Token: secret, Tell: told.tell}) }()
	dial(t, l.Addr().String())
	assert.Equal(t, []string{"cannot accept connections: accept tcp: " + syscall.EMFILE.Error()}, told.all())
	l.Close()
	assert.Error(t, <-ended)
	assert.Len(t, told.all(), 1, "that it was closed is no such failure")
}

func TestReasonsAreToldOnceAMinute(t *testing.T) {
	t.Parallel()
	var told notes
	d := newDoor(nil, told.tell)
	now := time.Now()
	for _, tt := range []struct {
		after time.Duration
		text  string
		count int
	}{
		{0, "a", 1},
		{0, "a", 1},
		{time.Second, "b", 2},
		{tellAgain - time.Nanosecond, "a", 2},
		{tellAgain, "a", 3},
		{tellAgain + time.Second, "a", 3},
		{2*tellAgain - time.Nanosecond, "a", 3},
		{2 * tellAgain, "a", 4},
	} {
		d.say(tt.text, now.Add(tt.after))
		assert.Len(t, told.all(), tt.count, "%s after %v", tt.text, tt.after)
	}
	assert.Equal(t, time.Minute, tellAgain)
	newDoor(nil, nil).say("nobody wants to know it", now)
}

func TestTokensWithSpaceAround(t *testing.T) {
	t.Parallel()
	for _, around := range []string{" " + secret + " ", "\t" + secret, secret + "\r\n"} {
		l, err := Listen("127.0.0.1:0", around)
		require.NoError(t, err)
		go Serve(t.Context(), l, Config{Token: around})
		for _, token := range []string{secret, around, "  " + secret} {
			_, err = Dial(t.Context(), l.Addr().String(), Secret{Token: token})
			assert.NoError(t, err, "%q for %q", token, around)
		}
		l.Close()
	}
	_, err := Listen(":0", "       short      ")
	assert.ErrorContains(t, err, "a token of 16 characters or more is needed", "space does not count")
	_, err = Listen("127.0.0.1:0", "two lines\nof sixteen characters")
	assert.ErrorContains(t, err, "a token is one line of text")
}
