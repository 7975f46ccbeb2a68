package conformance

import (
	"cmp"
	"io"
	"net"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/relay"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
)

// subject is a variant under test.
type subject struct {
	plan.Target
	rig     *rig.Rig
	network plan.Network  // between it and its servers
	enough  time.Duration // tester.Enough, and what the largest messages take over the network
	server  *server.Server

	streaming    bool        // the variant has streams, and its server does not say that it has none
	tracing      *sync.Mutex // held while spans are counted or stacks are looked at; all subjects share it
	othersTraced bool        // subjects that are tested beside this one are traced
}

// start starts another server of the variant.
func (s subject) start(t tester.T) *server.Server { return s.startOver(t, s.network) }

// startOver starts another server at the end of a network.
func (s subject) startOver(t tester.T, n plan.Network) *server.Server {
	server, err := s.rig.Start(t.Context(), s.Target, "", n)
	require.NoError(t, err)
	t.Cleanup(func() { server.Stop() })
	return server
}

// lacks returns the error by which a server of -server says that it does not implement a
// case; nil if it implements the case, rightly or wrongly.
func (s subject) lacks(c plan.Case) error {
	if s.Given == "" {
		return nil
	}
	if err := trial.Case(&s.rig.Load, c); s.NotImplemented(err) {
		return err
	}
	return nil
}

// skipLacking skips a part of the test that a server of -server does not implement.
func (s subject) skipLacking(t tester.T, c plan.Case) {
	if err := s.lacks(c); err != nil {
		t.Skip(s.Place(), " does not have it: ", err)
	}
}

// shared is the number of connections of a transport that shares them.
func (s subject) shared() int { return cmp.Or(s.Conns, 10) }

func (s subject) dial(t tester.T, callers int) framework.Client {
	c, err := s.Dial(s.server.Addr(), framework.DialOptions{Conns: s.shared(), Callers: callers, Patience: s.enough})
	require.NoError(t, err)
	if !s.racy() {
		t.Cleanup(func() { c.Close() })
	}
	return c
}

// racy reports whether the race detector would find races of the framework's own.
func (s subject) racy() bool { return race.Enabled && s.Races.Ending != "" }

func (s subject) skipRacy(t tester.T) {
	if s.racy() {
		t.Skip("under the race detector: ", s.Races.Ending)
	}
}

// as asserts what a variant says of its client.
func as[C framework.Client](t tester.T, c framework.Client) C {
	as, err := call.As[C](c)
	require.NoError(t, err)
	return as
}

// proxied starts a proxy to the server. What clients send passes; pass has the connections to
// the client and to the server, and sends on what the server answers.
func (s subject) proxied(t tester.T, pass func(near, far net.Conn)) (addr string) {
	addr, _ = tester.Serve(t, func(near net.Conn) {
		far, err := net.Dial(address.Network(s.server.Addr()), s.server.Addr())
		if err != nil {
			return
		}
		defer far.Close()
		go func() {
			io.Copy(far, near)
			far.Close() // the client has gone
		}()
		pass(near, far)
	})
	return addr
}

// relayed starts a relay to the server of a variant with datagrams.
func (s subject) relayed(t tester.T, pass relay.Pass) *relay.Relay {
	r, err := relay.New(s.server.Addr(), pass)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}
