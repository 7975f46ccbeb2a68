// Package server is what answers the calls: servers in processes of their own, here or on
// another machine, and those of users. Networks are what stands between them and their
// clients.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
)

// These are the abilities of a server. A server process that this process or -host
// has started has all of them; a server given by -server has only place.
type (
	Place interface {
		Addr() string // host:port
		Stop() error
	}
	life interface {
		Done() <-chan struct{}
		Err() error // how it died
		Kill()
	}
	Meter interface {
		CPU() (time.Duration, error)
		Figures(ctx context.Context) (host.Figures, error)
		ResetPeak(ctx context.Context) error
	}
	pauser interface {
		Pause() error
		Resume() error
	}
	// Holder tells what the server holds when its garbage has been collected. Only a
	// process on this machine does.
	Holder interface {
		Addrs() []string
		Ready() host.Ready
		Holdings(ctx context.Context) (host.Holdings, error)
	}
	// Counter tells how many calls the handlers have completed, and how many spans with a
	// parent have ended. The first reading of each starts its count.
	Counter interface {
		Handled(ctx context.Context) (int64, error)
		Spans(ctx context.Context) (int64, error)
	}
	Profiler interface {
		StartProfile(ctx context.Context, kind string) error
		StopProfile(ctx context.Context, kind string, w io.Writer) error
	}
)

// Server is a server with its abilities. Those that it lacks are nil.
type Server struct {
	Place
	Life     life
	Meter    Meter
	pauser   pauser
	Profiler Profiler
	Holder   Holder
	counter  Counter
}

// New finds out once which abilities a server has.
func New(p Place) *Server {
	s := &Server{Place: p}
	s.Life, _ = p.(life)
	s.Meter, _ = p.(Meter)
	s.pauser, _ = p.(pauser)
	s.Profiler, _ = p.(Profiler)
	s.Holder, _ = p.(Holder)
	s.counter, _ = p.(Counter)
	return s
}

// *host.Host and *remote.Host have every ability.
var _ = []interface {
	Place
	life
	Meter
	pauser
	Profiler
	Counter
}{(*host.Host)(nil), (*remote.Host)(nil)}

var _ Holder = (*host.Host)(nil)

// ErrGiven is returned for an ability that a server given by -server lacks.
var ErrGiven = fmt.Errorf("the server was not started by this process: %w", errors.ErrUnsupported)

// Addrs returns all addresses at which the server listens.
func (s *Server) Addrs() []string {
	if s.Holder == nil {
		return []string{s.Addr()}
	}
	return s.Holder.Addrs()
}

// Given is a server given by -server. It runs before this process starts and after
// it ends.
type Given struct{ At string }

// Addr implements place.
func (g Given) Addr() string { return g.At }

// Stop implements place.
func (g Given) Stop() error { return nil }

// Pause stops the server until Resume.
func (s *Server) Pause() error {
	if s.pauser == nil {
		return ErrGiven
	}
	return s.pauser.Pause()
}

// Resume continues a paused server.
func (s *Server) Resume() error {
	if s.pauser == nil {
		return ErrGiven
	}
	return s.pauser.Resume()
}

// Err says how the server died. It is nil while the server lives, and for servers
// whose end cannot be known.
func (s *Server) Err() error {
	if s.Life == nil {
		return nil
	}
	return s.Life.Err()
}

// Spans returns how many spans with a parent have ended in the server since the first call
// of Spans.
func (s *Server) Spans(ctx context.Context) (int64, error) {
	if s.counter == nil {
		return 0, ErrGiven
	}
	return s.counter.Spans(ctx)
}

// Handled returns how many calls the handlers of the server have completed since the first
// call of Handled.
func (s *Server) Handled(ctx context.Context) (int64, error) {
	if s.counter == nil {
		return 0, ErrGiven
	}
	return s.counter.Handled(ctx)
}

// Allocs returns how many objects the server has allocated so far.
func (s *Server) Allocs(ctx context.Context) (int64, error) {
	if s.Meter == nil {
		return 0, ErrGiven
	}
	f, err := s.Meter.Figures(ctx)
	return f.Allocs, err
}

// Kill ends a server, unless it was given by -server.
func (s *Server) Kill() {
	if s.Life != nil {
		s.Life.Kill()
	}
}

// Tally adds up what servers have counted since they were first asked.
func Tally(ctx context.Context, servers []*Server, count func(Counter, context.Context) (int64, error)) (sum int64, err error) {
	for _, s := range servers {
		if s.counter == nil {
			return 0, ErrGiven
		}
		n, err := count(s.counter, ctx)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// Accepted is how many connections the server has at its address.
func (s *Server) Accepted() (int, error) {
	if s.Holder == nil {
		return 0, ErrGiven
	}
	return sockets.Accepted(s.Addr(), s.Holder.Ready().PID)
}

// ListenAgain has another server listen where one did that was killed, which has left the
// file of a Unix socket.
func ListenAgain(addr string) (c host.Config, err error) {
	if address.Network(addr) == "unix" {
		c.Listen = addr
		return c, nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		c.Port, err = strconv.Atoi(port)
	}
	return c, err
}
