package rig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/sockets"
)

// These are the abilities of a server. A server process that this process or -host
// has started has all of them; a server given by -server has only place.
type (
	place interface {
		Addr() string // host:port
		Stop() error
	}
	life interface {
		Done() <-chan struct{}
		Err() error // how it died
		Kill()
	}
	meter interface {
		CPU() (time.Duration, error)
		Figures(ctx context.Context) (host.Figures, error)
		ResetPeak(ctx context.Context) error
	}
	pauser interface {
		Pause() error
		Resume() error
	}
	// holder tells what the server holds when its garbage has been collected. Only a
	// process on this machine does.
	holder interface {
		Addrs() []string
		Ready() host.Ready
		Holdings(ctx context.Context) (host.Holdings, error)
	}
	// counter tells how many calls the handlers have completed, and how many spans with a
	// parent have ended. The first reading of each starts its count.
	counter interface {
		Handled(ctx context.Context) (int64, error)
		Spans(ctx context.Context) (int64, error)
	}
	profiler interface {
		StartProfile(ctx context.Context, kind string) error
		StopProfile(ctx context.Context, kind string, w io.Writer) error
	}
)

// Server is a server with its abilities. Those that it lacks are nil.
type Server struct {
	place
	life     life
	meter    meter
	pauser   pauser
	profiler profiler
	holder   holder
	counter  counter
}

// newServer finds out once which abilities a server has.
func newServer(p place) *Server {
	s := &Server{place: p}
	s.life, _ = p.(life)
	s.meter, _ = p.(meter)
	s.pauser, _ = p.(pauser)
	s.profiler, _ = p.(profiler)
	s.holder, _ = p.(holder)
	s.counter, _ = p.(counter)
	return s
}

// *host.Host and *remote.Host have every ability.
var _ = []interface {
	place
	life
	meter
	pauser
	profiler
	counter
}{(*host.Host)(nil), (*remote.Host)(nil)}

var _ holder = (*host.Host)(nil)

// errGiven is returned for an ability that a server given by -server lacks.
var errGiven = fmt.Errorf("the server was not started by this process: %w", errors.ErrUnsupported)

// addrs returns all addresses at which the server listens.
func (s *Server) addrs() []string {
	if s.holder == nil {
		return []string{s.Addr()}
	}
	return s.holder.Addrs()
}

// given is a server given by -server. It runs before this process starts and after
// it ends.
type given struct{ addr string }

// Addr implements place.
func (g given) Addr() string { return g.addr }

// Stop implements place.
func (g given) Stop() error { return nil }

// Pause stops the server until Resume.
func (s *Server) Pause() error {
	if s.pauser == nil {
		return errGiven
	}
	return s.pauser.Pause()
}

// Resume continues a paused server.
func (s *Server) Resume() error {
	if s.pauser == nil {
		return errGiven
	}
	return s.pauser.Resume()
}

// Err says how the server died. It is nil while the server lives, and for servers
// whose end cannot be known.
func (s *Server) Err() error {
	if s.life == nil {
		return nil
	}
	return s.life.Err()
}

// Spans returns how many spans with a parent have ended in the server since the first call
// of Spans.
func (s *Server) Spans(ctx context.Context) (int64, error) {
	if s.counter == nil {
		return 0, errGiven
	}
	return s.counter.Spans(ctx)
}

// Allocs returns how many objects the server has allocated so far.
func (s *Server) Allocs(ctx context.Context) (int64, error) {
	if s.meter == nil {
		return 0, errGiven
	}
	f, err := s.meter.Figures(ctx)
	return f.Allocs, err
}

// kill ends a server, unless it was given by -server.
func (s *Server) kill() {
	if s.life != nil {
		s.life.Kill()
	}
}

// tally adds up what servers have counted since they were first asked.
func tally(ctx context.Context, servers []*Server, count func(counter, context.Context) (int64, error)) (sum int64, err error) {
	for _, s := range servers {
		if s.counter == nil {
			return 0, errGiven
		}
		n, err := count(s.counter, ctx)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// accepted is how many connections the server has at its address.
func (s *Server) accepted() (int, error) {
	if s.holder == nil {
		return 0, errGiven
	}
	return sockets.Accepted(s.Addr(), s.holder.Ready().PID)
}
