package remote

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/storm"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// tape is what passed a relay.
type tape struct {
	mu       sync.Mutex
	up, down bytes.Buffer
}

func (p *tape) keep(b *bytes.Buffer) io.Writer { return taping{p, b} }

type taping struct {
	tape *tape
	to   *bytes.Buffer
}

func (t taping) Write(b []byte) (int, error) {
	t.tape.mu.Lock()
	defer t.tape.mu.Unlock()
	return t.to.Write(b)
}

func (p *tape) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.up.String() + p.down.String()
}

// relay passes connections on to addr, and keeps what passes before it does.
func relay(t *testing.T, addr string, p *tape) string {
	return accepting(t, func(c net.Conn) {
		there, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		defer there.Close()
		go func() {
			io.Copy(io.MultiWriter(p.keep(&p.up), there), c)
			there.Close()
		}()
		io.Copy(io.MultiWriter(p.keep(&p.down), c), there)
	})
}

// accepting calls serve for each connection, and closes it then.
func accepting(t *testing.T, serve func(net.Conn)) string {
	addr, _ := tester.Serve(t, serve)
	return addr
}

// known serves with a key that is returned.
func known(t *testing.T) (addr string, id *Identity) {
	id, err := NewIdentity()
	require.NoError(t, err)
	addr, _ = serving(t, Config{Identity: id})
	return addr, id
}

// session makes a whole one: a server is started, asked and stopped.
func session(t *testing.T, addr string, s Secret) {
	m, err := Dial(t.Context(), addr, s)
	require.NoError(t, err)
	h := start(t, m)
	_, err = h.Figures(t.Context())
	require.NoError(t, err)
	require.NoError(t, h.Stop())
}

// requireSealed requires that those who hear a session learn neither the token nor the key
// nor what was asked.
func requireSealed(t *testing.T, text string, id *Identity) {
	t.Helper()
	require.Greater(t, len(text), 2000, "a session was heard")
	hash := sha256.Sum256(id.certificate.Leaf.RawSubjectPublicKeyInfo)
	for _, open := range []string{
		secret, "token", id.Fingerprint, strings.TrimPrefix(id.Fingerprint, fingerprintKind), fingerprintKind, string(hash[:]), string(id.certificate.Leaf.RawSubjectPublicKeyInfo),
		tokenHeader, servingHeader, "GET ", "POST ", "HTTP", "Allocs", "echo",
	} {
		require.False(t, strings.Contains(text, open), "%q is open", open)
	}
}

func TestASessionIsNotOpen(t *testing.T) {
	t.Parallel()
	addr, id := known(t)
	var heard tape
	session(t, relay(t, addr, &heard), Secret{Token: secret, Fingerprint: id.Fingerprint})
	requireSealed(t, heard.text(), id)
}

// What a client has sent starts nothing when another sends it again.
func TestReplay(t *testing.T) {
	t.Parallel()
	addr, id := known(t)
	var heard tape
	m, err := Dial(t.Context(), relay(t, addr, &heard), Secret{Token: secret, Fingerprint: id.Fingerprint})
	require.NoError(t, err)
	start(t, m)
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer c.Close()
	heard.mu.Lock()
	sent := bytes.Clone(heard.up.Bytes())
	heard.mu.Unlock()
	_, err = c.Write(sent)
	require.NoError(t, err)
	c.SetReadDeadline(time.Now().Add(patience))
	answer, _ := io.ReadAll(c)
	assert.Less(t, len(answer), 2000, "a handshake, and an alert")
	h, err := m.Start(t.Context(), Request{Serve: "echo"})
	require.NoError(t, err)
	defer h.Stop()
	assert.Equal(t, "/servers/2", h.path, "the replay started none")
}

func TestOlderProtocols(t *testing.T) {
	t.Parallel()
	addr, _ := known(t)
	old := pinned("")
	old.MinVersion, old.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	_, err := tls.Dial("tcp", addr, old)
	assert.ErrorContains(t, err, "protocol version", "a client")

	id, err := NewIdentity()
	require.NoError(t, err)
	config := id.config()
	config.MinVersion, config.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	older := accepting(t, func(c net.Conn) { tls.Server(c, config).Handshake() })
	_, err = Dial(t.Context(), older, Secret{Token: secret, Fingerprint: id.Fingerprint})
	assert.ErrorContains(t, err, older+": no serving side of rpcbench (-serve) listens there: it does not speak TLS 1.3: ", "a server")
	config.MaxVersion = tls.VersionTLS13
	either := accepting(t, func(c net.Conn) { tls.Server(c, config).Handshake() })
	c, err := tls.Dial("tcp", either, pinned(id.Fingerprint))
	require.NoError(t, err, "a server that has both")
	defer c.Close()
	assert.EqualValues(t, tls.VersionTLS13, c.ConnectionState().Version)

	plain := peerOf(t, httptest.NewServer)
	_, err = Dial(t.Context(), plain, Secret{Token: secret, Fingerprint: id.Fingerprint})
	assert.EqualError(t, err, plain+": no serving side of rpcbench (-serve) listens there, or one of an older version: it does not speak TLS")
	response, err := http.Get("http://" + addr)
	require.NoError(t, err, "an older client")
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	assert.Contains(t, string(text), "HTTPS")
}

// peerOf is a server that answers nothing.
func peerOf(t *testing.T, start func(http.Handler) *httptest.Server) (addr string) {
	s := start(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// Requests share no connection, so that a connection is the visit of one caller.
func TestHTTP2IsOff(t *testing.T) {
	t.Parallel()
	addr, _ := known(t)
	for _, offered := range [][]string{nil, {"h2", "http/1.1"}} {
		config := pinned("")
		config.NextProtos = offered
		c, err := tls.Dial("tcp", addr, config)
		require.NoError(t, err)
		defer c.Close()
		assert.NotEqual(t, "h2", c.ConnectionState().NegotiatedProtocol)
	}
	config := pinned("")
	config.NextProtos = []string{"h2"}
	_, err := tls.Dial("tcp", addr, config)
	assert.ErrorContains(t, err, "no application protocol")
}

// Who connects and does not shake hands is closed when a request should have come.
func TestHandshakesThatDoNotCome(t *testing.T) {
	t.Parallel()
	for about, sent := range map[string][]byte{"silence": nil, "half a record": {22, 3, 1, 2, 0, 1}} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			addr, _ := serving(t, Config{times: times{slow, time.Hour, time.Hour}})
			c, err := net.DialTimeout("tcp", addr, patience)
			require.NoError(t, err)
			defer c.Close()
			c.Write(sent)
			c.SetReadDeadline(time.Now().Add(patience))
			assert.Empty(t, requireClosed(t, c, about))
		})
	}
}

// A man in the middle, who can read all that his own key protects, sees no request.
func TestAManInTheMiddle(t *testing.T) {
	t.Parallel()
	addr, id := known(t)
	his, err := NewIdentity()
	require.NoError(t, err)
	var heard tape
	middle := accepting(t, func(c net.Conn) {
		there, err := tls.Dial("tcp", addr, pinned(""))
		if err != nil {
			return
		}
		defer there.Close()
		here := tls.Server(c, his.config())
		go io.Copy(here, there)
		io.Copy(io.MultiWriter(heard.keep(&heard.up), there), here)
	})
	_, err = Dial(t.Context(), middle, Secret{Token: secret, Fingerprint: id.Fingerprint})
	assert.EqualError(t, err, middle+": its key is "+his.Fingerprint+", and the fingerprint beside the token is "+id.Fingerprint+
		": another machine answers there, or -serve was started again since the file of the token was copied")
	assert.Empty(t, heard.text())

	_, err = Dial(t.Context(), middle, Secret{Token: secret})
	require.NoError(t, err, "without a fingerprint he would")
	assert.Contains(t, heard.text(), secret)
}

// Bad connections, eight times as many as are kept open, do not disturb who has shown the
// token.
func TestBadConnectionsDisturbNobody(t *testing.T) { // nor other tests, which wait for it
	const many = 2000
	addr, id := known(t)
	m, err := Dial(t.Context(), addr, Secret{Token: secret, Fingerprint: id.Fingerprint})
	require.NoError(t, err)
	h := start(t, m)
	flood := make(chan struct{})
	go func() {
		defer close(flood)
		assert.Equal(t, many, storm.Intruders(addr, tokenHeader, many))
	}()
	for asked := 0; ; asked++ {
		select {
		case <-flood:
			assert.Greater(t, asked, 10)
			_, err := Dial(t.Context(), addr, Secret{Token: secret, Fingerprint: id.Fingerprint})
			assert.NoError(t, err, "and a new one comes in")
			return
		default:
		}
		_, err := h.CPU()
		require.NoError(t, err, "question %d", asked)
		time.Sleep(time.Millisecond)
	}
}

func TestPins(t *testing.T) {
	t.Parallel()
	addr, id := known(t)
	for about, c := range map[string]struct {
		secret Secret
		want   string
	}{
		"the right key":     {Secret{Token: secret, Fingerprint: id.Fingerprint}, ""},
		"any, on this host": {Secret{Token: secret, Fingerprint: ""}, ""},
		"another":           {Secret{Token: secret, Fingerprint: "sha256:" + strings.Repeat("A", 43)}, "its key is " + id.Fingerprint},
	} {
		_, err := Dial(t.Context(), addr, c.secret)
		if c.want == "" {
			assert.NoError(t, err, about)
			continue
		}
		assert.ErrorContains(t, err, c.want, about)
	}
	_, err := Dial(t.Context(), "192.0.2.1:7000", Secret{Token: secret, Fingerprint: ""})
	assert.ErrorContains(t, err, "192.0.2.1:7000: the fingerprint of the key there is missing")
	_, err = Dial(t.Context(), "192.0.2.1:7000", Secret{Token: "short", Fingerprint: id.Fingerprint})
	assert.ErrorContains(t, err, "the token has 5 characters: one of 16 or more is needed")
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	print := "sha256:" + strings.Repeat("A", 43)
	for text, want := range map[string]Secret{
		"":                            {},
		secret:                        {Token: secret},
		secret + "\n":                 {Token: secret},
		secret + "\n" + print + "\n":  {Token: secret, Fingerprint: print},
		"one-word " + print:           {Token: "one-word", Fingerprint: print},
		"  " + secret + "  " + print:  {Token: secret, Fingerprint: print},
		secret + "\r\n" + print + " ": {Token: secret, Fingerprint: print},
	} {
		got, err := ParseSecret(text)
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, got, "%q", text)
	}
	for text, want := range map[string]string{
		secret + "\nsha256:AAAA":             "the word that begins with sha256: is not a fingerprint: it was cut off or changed",
		"sha256:" + secret:                   "nothing but a key may follow the fingerprint",
		secret + " " + print + "=":           "is not a fingerprint",
		secret + "\n" + print + "\nmore":     "nothing but a key may follow the fingerprint, the word that begins with sha256:",
		secret + " " + print + " more":       "nothing but a key may follow the fingerprint",
		secret + "\n" + print + "\n" + print: "nothing but a key may follow the fingerprint",
		"two\nlines":                         "a token is one line of text",
		"two\nlines\n" + print:               "a token is one line of text",
	} {
		_, err := ParseSecret(text)
		assert.ErrorContains(t, err, want, "%q", text)
		assert.NotContains(t, err.Error(), "of some length", "no part of a token is told")
	}
}

func TestFilesOfTokens(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	_, err := ReadSecret(path)
	assert.ErrorIs(t, err, os.ErrNotExist)
	made, err := MakeSecret(path)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(made.Token), minToken)
	id, err := NewIdentity()
	require.NoError(t, err)
	made.Fingerprint = id.Fingerprint
	require.NoError(t, made.Write(path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	again, err := MakeSecret(path)
	require.NoError(t, err)
	assert.Equal(t, made, again, "it is kept")
}

func TestFilesThatWillNotDo(t *testing.T) {
	t.Parallel()
	print := "sha256:" + strings.Repeat("A", 43)
	for _, c := range []struct {
		about string
		mode  os.FileMode
		text  string
		want  string // "" for a file that will do
	}{
		{"its owner's", 0o600, secret + "\n" + print + "\n", ""},
		{"a group may read it", 0o440, secret, ""},
		{"everybody may read it", 0o604, secret, "everybody on this machine can read it: chmod 600 "},
		{"everybody may write it", 0o602, secret, "everybody on this machine can read it"},
		{"nothing", 0o600, " \n", "there is no token in it"},
		{"a fingerprint alone", 0o600, print, "there is no token in it"},
		{"a token that is short by one", 0o600, "0123456789abcde " + print, "the token has 15 characters: one of 16 or more is needed"},
		{"a fingerprint that was cut off", 0o600, secret + "\n" + print[:20], "is not a fingerprint"},
		{"something behind", 0o600, secret + "\n" + print + "\nmore", "nothing but a key may follow the fingerprint"},
	} {
		t.Run(c.about, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "token")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			require.NoError(t, os.Chmod(path, c.mode))
			_, err := ReadSecret(path)
			if c.want == "" || runtime.GOOS == "windows" && c.mode&0o007 != 0 {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.want)
			assert.Equal(t, 1, strings.Count(err.Error(), path+": "), "the file is named once: %v", err)
			_, err = MakeSecret(path)
			assert.ErrorContains(t, err, c.want, "none is made instead")
		})
	}
}

// A link stays one, and what is no file is left alone.
func TestWhereTokensAreWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "token"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte(secret), 0o640))
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no links here: ", err)
	}
	s := Secret{Token: secret, Fingerprint: "sha256:" + strings.Repeat("A", 43)}
	require.NoError(t, s.Write(link))
	got, err := ReadSecret(file)
	require.NoError(t, err)
	assert.Equal(t, s, got)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, os.ModeSymlink, info.Mode().Type())
	assert.ErrorContains(t, s.Write(dir), "is not a regular file")
	assert.Error(t, s.Write(filepath.Join(dir, "nowhere", "token")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 2, "no part of a file is left")
}

// The start of a server is not tried again once it was sent.
func TestStartsAreSentOnce(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	sent := map[string]int{}
	addr := pretend(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent[r.Method]++
		if r.URL.Path == "/machine" {
			answer(w, About{}, nil)
			return
		}
		if sent[r.Method] < 3 {
			panic(http.ErrAbortHandler)
		}
		answer(w, struct{}{}, nil)
	})
	m := dial(t, addr)
	_, err := m.Start(t.Context(), Request{})
	assert.EqualError(t, err, addr+": EOF")
	assert.NoError(t, m.call(t.Context(), patience, http.MethodPut, "/x", nil, &struct{}{}))
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, map[string]int{"GET": 1, "POST": 1, "PUT": 3}, sent)
}

// What closes all connections is asked for the time of a call, and then named.
func TestConnectionsThatNeverStand(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	addr := accepting(t, func(net.Conn) { asked.Add(1) })
	const long = 5 * time.Second
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	_, err := Dial(ctx, addr, Secret{Token: secret})
	assert.ErrorContains(t, err, addr+": it closes connections before they stand")
	assert.GreaterOrEqual(t, time.Since(began), long)
	assert.Greater(t, asked.Load(), int64(3))
}

// A request that may be made twice is made again if its connection is closed.
func TestClosedConnectionsAreTriedAgain(t *testing.T) {
	t.Parallel()
	id, err := NewIdentity()
	require.NoError(t, err)
	var mu sync.Mutex
	closes := 5
	addr := accepting(t, func(c net.Conn) {
		mu.Lock()
		closes--
		left := closes
		mu.Unlock()
		if left >= 3 {
			return
		}
		s := tls.Server(c, id.config())
		if s.Handshake() != nil || left >= 0 {
			return
		}
		http.ReadRequest(bufio.NewReader(s)) // an answer that comes before it counts as garbage
		io.WriteString(s, "HTTP/1.1 200 OK\r\n"+http.CanonicalHeaderKey(servingHeader)+": 1\r\nContent-Length: 2\r\n\r\n{}")
		io.Copy(io.Discard, s)
	})
	_, err = Dial(t.Context(), addr, Secret{Token: secret, Fingerprint: id.Fingerprint})
	assert.NoError(t, err)
	mu.Lock()
	defer mu.Unlock()
	assert.Negative(t, closes)
}

// TestASecretIsMadeOnce: a serving side that starts again has the key that clients know.
func TestASecretIsMadeOnce(t *testing.T) {
	made, err := NewSecret()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "servers")
	require.NoError(t, made.Write(file))
	read, err := ReadSecret(file)
	require.NoError(t, err)
	assert.Equal(t, made, read)
	for range 2 {
		i, err := read.Identity()
		require.NoError(t, err)
		assert.Equal(t, made.Public().Fingerprint, i.Fingerprint)
	}
	assert.Empty(t, made.Public().Key)
	other, err := NewSecret()
	require.NoError(t, err)
	for text, want := range map[string]string{
		made.Token + " " + made.Fingerprint + " " + other.Key:     "the key beside the token is not that of the fingerprint: they are of two secrets",
		made.Token + " " + made.Fingerprint + " " + made.Key[:40]: "is not a key: it was cut off or changed",
		made.Token + " " + made.Fingerprint + " key:":             "is not a key: it was cut off or changed",
	} {
		s, err := ParseSecret(text)
		require.NoError(t, err)
		_, err = s.Identity()
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), made.Key[4:30])
	}
	_, err = ParseSecret(made.Token + " " + made.Key)
	assert.ErrorContains(t, err, "must stand before the key")
}
