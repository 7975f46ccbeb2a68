package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

const (
	controlTimeout = 10 * time.Second
	startTimeout   = 40 * time.Second // longer than host.Config.StartTimeout
	profileTimeout = 50 * time.Second // 256 MiB at 43 Mbit/s
	lostAfter      = 15 * time.Second // a machine that has not answered for this time is lost
	retryDelay     = 500 * time.Millisecond
	clientIdle     = 30 * time.Second // how long a connection is kept for the next request
)

// Bounds in bytes on what is read of a machine.
const (
	maxReply   = 1 << 20
	maxProfile = 256 << 20
	maxRefusal = 32 << 10
)

// Machine is another machine, on which Serve runs.
type Machine struct {
	addr, token string
	client      http.Client
	about       About
}

// Dial asks the machine at addr, host:port, for its About. The error contains the
// address, and never the token.
func Dial(ctx context.Context, addr string, s Secret) (*Machine, error) {
	if err := cmp.Or(checkAddr(addr), s.check(addr)); err != nil {
		return nil, err
	}
	m := &Machine{addr: addr, token: trimmed(s.Token)}
	config := pinned(s.Fingerprint)
	m.client.Transport = &http.Transport{ // unlike http.DefaultTransport, it uses no proxy
		DisableCompression: true, IdleConnTimeout: clientIdle, MaxIdleConnsPerHost: maxRanks, // rank 0 asks all others at once
		DialTLSContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return dialTLS(ctx, addr, config) },
	}
	m.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if err := m.call(ctx, controlTimeout, "GET", "/machine", nil, &m.about); err != nil {
		return nil, err
	}
	m.about = m.about.lined()
	return m, nil
}

// checkAddr returns an error unless addr is host:port with a number for the port.
func checkAddr(addr string) error {
	name, port, err := net.SplitHostPort(addr)
	if err != nil || !isHost(name) || !isPort(port) {
		return fmt.Errorf("%s: want HOST:PORT, as in 10.0.0.2:7000", foreign.Line(addr))
	}
	return nil
}

// isHost reports whether text is an IP address, or may be a name: what a URL has beside
// its host, such as a path or a password, is neither.
func isHost(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-_", r)
	})
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// Addr returns where the machine is reached, host:port.
func (m *Machine) Addr() string { return m.addr }

// Has returns an error if servers of a build cannot be started on the machine.
func (m *Machine) Has(ctx context.Context, b builds.Build) error {
	return m.call(ctx, startTimeout, "PUT", "/builds", b, &struct{}{}) // it may have to read large files
}

// Taken is for how long the CPUs of a serving side were taken from processes.
type Taken struct {
	cpus.Taken
	CPUs int // that it may use
}

// Taken returns for how long the CPUs of the machine were taken from processes so far.
func (m *Machine) Taken(ctx context.Context) (t Taken, err error) {
	err = m.call(ctx, controlTimeout, "GET", "/machine/taken", nil, &t)
	return t, err
}

// About returns the machine's description of itself.
func (m *Machine) About() About { return m.about }

// lined returns a with all texts as package foreign shows them.
func (a About) lined() About {
	a.Versions, a.Settings = linedMap(a.Versions), linedMap(a.Settings)
	a.GoVersion, a.System, a.ID = foreign.Line(a.GoVersion), foreign.Line(a.System), foreign.Line(a.ID)
	return a
}

// lined returns r with all texts as package foreign shows them.
func lined(r host.Ready) host.Ready {
	r.Versions, r.Settings = linedMap(r.Versions), linedMap(r.Settings)
	r.GoVersion = foreign.Line(r.GoVersion)
	return r
}

func linedMap(m map[string]string) map[string]string {
	shown := make(map[string]string, len(m))
	for key, value := range m {
		shown[foreign.Line(key)] = foreign.Line(value)
	}
	return shown
}

// call makes a request. It sends body as JSON, and decodes the reply into answer, or
// copies it if answer is an io.Writer. The text of the error is fit to be printed.
func (m *Machine) call(ctx context.Context, timeout time.Duration, method, path string, body, answer any) error {
	if err := m.try(ctx, timeout, method, path, body, answer); err != nil {
		return foreign.Error(fmt.Errorf("%s: %w", m.addr, err))
	}
	return nil
}

func (m *Machine) try(ctx context.Context, timeout time.Duration, method, path string, body, answer any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	ctx, dialed := withDialing(ctx)
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return err
		}
	}
	response, err := m.send(ctx, method, path, text.Bytes())
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			<-ctx.Done() // dialing has a clock of its own, which may be first
		}
		return cmp.Or(dialed.reason(ctx), context.Cause(ctx), reason(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || response.Header.Get(servingHeader) == "" {
		return refusal(response)
	}
	return read(response.Body, answer)
}

// send sends a request. It sends a GET or a PUT again if the connection is closed before the
// answer: the serving side closes connections when too many strangers are there.
func (m *Machine) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	for {
		request, err := http.NewRequestWithContext(ctx, method, "https://"+strings.Replace(m.addr, "%", "%25", 1)+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set(tokenHeader, m.token)
		response, err := m.client.Do(request)
		if err == nil || method != http.MethodGet && method != http.MethodPut || !closed(err) || ctx.Err() != nil {
			return response, err
		}
		time.Sleep(again)
	}
}

// read reads a reply, of which it takes a bounded part.
func read(body io.Reader, answer any) error {
	if w, ok := answer.(io.Writer); ok {
		_, err := io.Copy(w, limit.Reader(body, maxProfile))
		return err
	}
	text, err := io.ReadAll(limit.Reader(body, maxReply))
	if err == nil {
		err = json.Unmarshal(text, answer)
	}
	if err != nil {
		return fmt.Errorf("its reply: %w", err)
	}
	return nil
}

// reason strips the request from an error: callers name it themselves.
func reason(err error) error {
	if failed := new(url.Error); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// errGone says that a server has ended or was removed.
var errGone = errors.New("the server is gone")

func refusal(r *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(r.Body, maxRefusal))
	said := cmp.Or(string(bytes.TrimSpace(text)), r.Status)
	if r.Header.Get(servingHeader) == "" {
		return fmt.Errorf("no serving side of rpcbench (-serve) listens there, or one of an older version: the answer is %s: %.100s", r.Status, bytes.TrimSpace(text))
	}
	switch r.StatusCode {
	case http.StatusUnauthorized:
		return fmt.Errorf("refused: %s", said)
	case http.StatusGone:
		return fmt.Errorf("%w: %s", errGone, said)
	case http.StatusFailedDependency:
		return Lost{said}
	}
	return errors.New(said)
}

// NobodyListens reports whether a connection failed because nobody listens at its address.
func NobodyListens(err error) bool { return errors.Is(err, refused) }
