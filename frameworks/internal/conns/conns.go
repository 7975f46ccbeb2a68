// Package conns keeps track of open connections, for adapters of frameworks that
// leave that to their users.
package conns

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
)

// DialTimeout bounds a dial, and the calls with which a client checks that its
// connections are open. TCP sends a packet again after 1, 3 and 7 s if the network lost it,
// and a busy server takes seconds to accept a thousand connections at once.
const DialTimeout = 10 * time.Second

// Dial opens a connection to addr: host:port, or the path of a Unix socket.
func Dial(addr string) (net.Conn, error) { return DialWith(nil, addr) }

// Control is called with a socket before it listens or connects, as that of net.Dialer;
// nil: nothing is called.
type Control func(network, address string, c syscall.RawConn) error

// DialWith is Dial with a Control.
func DialWith(control Control, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: DialTimeout, Control: control}
	return d.Dial(address.Network(addr), addr)
}

// Listen listens on addr: host:port, or the path of a Unix socket.
func Listen(addr string) (net.Listener, error) { return listen(nil, addr) }

func listen(control Control, addr string) (net.Listener, error) {
	config := net.ListenConfig{Control: control}
	return config.Listen(context.Background(), address.Network(addr), addr)
}

// Set is a set of open connections that can be closed together. Its zero
// value is empty and ready to use.
type Set struct {
	Control Control     // of connections that Dial opens
	TLS     *tls.Config // of connections that Dial opens; nil: without TLS

	mu     sync.Mutex
	open   map[io.Closer]struct{}
	closed bool
}

// Add puts c into the set, or closes it and reports false if the set was
// closed before.
func (s *Set) Add(c io.Closer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.Close()
		return false
	}
	if s.open == nil {
		s.open = make(map[io.Closer]struct{})
	}
	s.open[c] = struct{}{}
	return true
}

// Dial opens a connection to addr, as the function of this name does, in the set. After
// Close it returns net.ErrClosed.
func (s *Set) Dial(ctx context.Context, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: DialTimeout, Control: s.Control}
	c, err := d.DialContext(ctx, address.Network(addr), addr)
	if err == nil {
		c, err = Secure(ctx, s.TLS, c)
	}
	if err != nil {
		return nil, err
	}
	if !s.Add(c) {
		return nil, net.ErrClosed
	}
	return c, nil
}

// Drop closes c and removes it from the set.
func (s *Set) Drop(c io.Closer) {
	c.Close()
	s.Forget(c)
}

// Forget removes c, which is being closed, from the set.
func (s *Set) Forget(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// Len returns how many connections are in the set.
func (s *Set) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Close closes all connections of the set and those added later. A connection may call
// Forget when it is closed.
func (s *Set) Close() {
	s.mu.Lock()
	open := s.open
	s.open, s.closed = nil, true
	s.mu.Unlock()
	for c := range open {
		c.Close()
	}
}

// Server accepts connections. Its Close closes them all.
type Server struct {
	listener net.Listener
	conns    Set
}

// Serve listens on addr and calls handle with each connection in a goroutine
// of its own. A connection is closed when handle returns.
func Serve(addr string, handle func(net.Conn)) (*Server, error) { return ServeWith(nil, addr, handle) }

// ServeWith is Serve with a Control of the socket that listens, whose options most kernels
// pass on to the connections.
func ServeWith(control Control, addr string, handle func(net.Conn)) (*Server, error) {
	l, err := listen(control, addr)
	if err != nil {
		return nil, err
	}
	return serveOn(l, handle), nil
}

func serveOn(l net.Listener, handle func(net.Conn)) *Server {
	s := &Server{listener: l}
	go s.accept(handle)
	return s
}

// Addr returns the address on which the server listens, as Listen takes it.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close stops listening and closes all connections. It does not wait for the
// handlers, whose reads and writes then fail.
func (s *Server) Close() error {
	err := s.listener.Close()
	s.conns.Close()
	return err
}

func (s *Server) accept(handle func(net.Conn)) {
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // an error that may pass, such as too few file descriptors
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if s.conns.Add(c) {
			go s.handle(c, handle)
		}
	}
}

func (s *Server) handle(c net.Conn, handle func(net.Conn)) {
	defer s.conns.Drop(c)
	handle(c)
}

// Open dials n connections of a framework. If one fails, it closes those before it.
func Open[C any](n int, dial func() (C, error), shut func(C) error) ([]C, error) {
	opened := make([]C, 0, n)
	for range n {
		c, err := dial()
		if err != nil {
			Shut(opened, shut)
			return nil, err
		}
		opened = append(opened, c)
	}
	return opened, nil
}

// Shut closes connections and returns the errors.
func Shut[C any](opened []C, shut func(C) error) error {
	var errs []error
	for _, c := range opened {
		errs = append(errs, shut(c))
	}
	return errors.Join(errs...)
}
