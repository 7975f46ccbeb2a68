package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
)

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
