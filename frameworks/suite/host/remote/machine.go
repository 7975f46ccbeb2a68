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
	"sync"
	"time"
	"unicode"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
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
		DisableCompression: true, IdleConnTimeout: clientIdle,
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

// About returns the machine's description of itself.
func (m *Machine) About() About { return m.about }

// Start starts a server on the machine. ctx bounds the start only.
func (m *Machine) Start(ctx context.Context, q Request) (*Host, error) {
	var s started
	if err := m.call(ctx, startTimeout, "POST", "/servers", q, &s); err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(s.Addr)
	if err != nil || !isPort(port) {
		return nil, fmt.Errorf("%s: its server listens on %q", m.addr, s.Addr)
	}
	s.Ready = lined(s.Ready)
	ip, _, _ := net.SplitHostPort(m.addr)
	s.Addr, s.Control = net.JoinHostPort(ip, port), "" // the control server is reached from its own machine only
	h := &Host{machine: m, path: fmt.Sprintf("/servers/%d", s.Number), ready: s.Ready, done: make(chan struct{})}
	h.watching, h.leave = context.WithCancel(context.Background())
	go h.watch()
	return h, nil
}

// lined returns a with all texts as package foreign shows them.
func (a About) lined() About {
	a.Versions, a.Settings = linedMap(a.Versions), linedMap(a.Settings)
	a.GoVersion, a.System = foreign.Line(a.GoVersion), foreign.Line(a.System)
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
	ctx = withUntil(ctx)
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return err
		}
	}
	response, err := m.send(ctx, method, path, text.Bytes())
	if err != nil {
		return cmp.Or(context.Cause(ctx), reason(err))
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
	}
	return errors.New(said)
}

// Host is a server on another machine. It has the methods of host.Host.
type Host struct {
	machine *Machine
	path    string
	ready   host.Ready
	done    chan struct{}

	watching context.Context
	leave    context.CancelFunc
	stopOnce sync.Once
	stopErr  error

	mu  sync.Mutex
	err error
}

// Addr returns the address, host:port, on which the server listens.
func (h *Host) Addr() string { return h.ready.Addr }

// Ready returns what the server's process reported when it was ready, without
// Control.
func (h *Host) Ready() host.Ready { return h.ready }

// Done is closed when the server has ended, or when its machine has not
// answered for 15 s.
func (h *Host) Done() <-chan struct{} { return h.done }

// Err returns nil while the server runs and after an orderly Stop.
func (h *Host) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// watch waits for the server's end. Its requests also keep the server alive, see
// Config.Idle.
func (h *Host) watch() {
	defer close(h.done)
	err := h.awaitEnd()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watching.Err() == nil {
		h.err = err
	}
}

func (h *Host) awaitEnd() error {
	answered := time.Now()
	for {
		var s state
		err := h.call(h.watching, longestWait+controlTimeout, "GET", "/wait", &s)
		switch {
		case h.watching.Err() != nil || errors.Is(err, errGone):
			return err
		case err == nil && s.Ended:
			return errors.New(cmp.Or(foreign.Line(s.Error), "the server was stopped by another"))
		case err == nil:
			answered = time.Now()
		case time.Since(answered) > lostAfter:
			return err
		default:
			time.Sleep(retryDelay)
		}
	}
}

func (h *Host) call(ctx context.Context, timeout time.Duration, method, path string, answer any) error {
	return h.machine.call(ctx, timeout, method, h.path+path, nil, answer)
}

// control makes a call and ignores the reply.
func (h *Host) control(ctx context.Context, path string) error {
	return h.call(ctx, controlTimeout, "POST", path, &struct{}{})
}

// CPU returns the user and system time that the server has used so far.
func (h *Host) CPU() (d time.Duration, err error) {
	err = h.call(context.Background(), controlTimeout, "GET", "/cpu", &d)
	return d, err
}

// Figures reads the server's figures.
func (h *Host) Figures(ctx context.Context) (f host.Figures, err error) {
	err = h.call(ctx, controlTimeout, "GET", "/figures", &f)
	return f, err
}

// Handled returns how many calls the handlers of the server have completed, see
// host.Host.Handled.
func (h *Host) Handled(ctx context.Context) (calls int64, err error) {
	err = h.call(ctx, controlTimeout, "GET", "/handled", &calls)
	return calls, err
}

// Spans returns how many spans with a parent have ended in the server, see host.Host.Spans.
func (h *Host) Spans(ctx context.Context) (spans int64, err error) {
	err = h.call(ctx, controlTimeout, "GET", "/spans", &spans)
	return spans, err
}

// ResetPeak restarts the measurement of the server's PeakRSS.
func (h *Host) ResetPeak(ctx context.Context) error { return h.control(ctx, "/peak") }

// Pause stops the server until Resume; its connections stay open.
func (h *Host) Pause() error { return h.control(context.Background(), "/pause") }

// Resume continues a paused server.
func (h *Host) Resume() error { return h.control(context.Background(), "/resume") }

// StartProfile begins a profile of the server, see host.ProfileKinds.
func (h *Host) StartProfile(ctx context.Context, kind string) error {
	return h.control(ctx, "/profile?kind="+url.QueryEscape(kind))
}

// StopProfile ends a profile and writes it to w.
func (h *Host) StopProfile(ctx context.Context, kind string, w io.Writer) error {
	return h.call(ctx, profileTimeout, "GET", "/profile?kind="+url.QueryEscape(kind), w)
}

// Kill ends the server at once and waits until it has ended.
func (h *Host) Kill() {
	if h.control(context.Background(), "/kill") == nil {
		select {
		case <-h.done:
		case <-time.After(controlTimeout):
		}
	}
}

// Stop ends the server in order, or by force after 5 s. The error says that the
// server had died before, or that its machine does not answer; the machine then stops
// the server by itself.
func (h *Host) Stop() error {
	h.stopOnce.Do(func() { h.stopErr = h.stop() })
	return h.stopErr
}

func (h *Host) stop() error {
	h.leave()
	<-h.done
	var s state
	err := h.call(context.Background(), controlTimeout, "DELETE", "", &s)
	if err == nil && s.Error != "" {
		err = errors.New(foreign.Line(s.Error))
	}
	return cmp.Or(h.Err(), err)
}

// NobodyListens reports whether a connection failed because nobody listens at its address.
func NobodyListens(err error) bool { return errors.Is(err, refused) }
