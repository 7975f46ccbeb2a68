package suite

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
	"github.com/rpcbench/rpcbench/loadgen"
)

// subject is a variant under test.
type subject struct {
	plan.Target
	rig     *rig.Rig
	network plan.Network  // between it and its servers
	enough  time.Duration // a wide bound for what should take a moment on a busy machine, and its time over the network
	server  *server.Server

	streaming bool        // the variant has streams, and its server does not say that it has none
	tracing   *sync.Mutex // of all subjects
}

// enough is the wide bound without a network.
const enough = 20 * time.Second

// start starts another server of the variant.
func (s subject) start(t tester) *server.Server { return s.startOver(t, s.network) }

// startOver starts another server at the end of a network.
func (s subject) startOver(t tester, n plan.Network) *server.Server {
	server, err := s.rig.Start(t.Context(), s.Target, "", n)
	require.NoError(t, err)
	t.Cleanup(func() { server.Stop() })
	return server
}

// lacks returns what the server of a user says of a case that it does not have; nil if it
// has it, or answers it wrongly.
func (s subject) lacks(c plan.Case) error {
	if s.Given == "" {
		return nil
	}
	if err := trial.Case(&s.rig.Load, c); s.NotImplemented(err) {
		return err
	}
	return nil
}

// skipLacking skips a part of the test that the server of a user does not have.
func (s subject) skipLacking(t tester, c plan.Case) {
	if err := s.lacks(c); err != nil {
		t.Skip(s.Place(), " does not have it: ", err)
	}
}

// shared is the number of connections of a transport that shares them.
func (s subject) shared() int { return cmp.Or(s.Conns, 10) }

func (s subject) dial(t tester, callers int) framework.Client {
	c, err := s.Dial(s.server.Addr(), framework.DialOptions{Conns: s.shared(), Callers: callers})
	require.NoError(t, err)
	if !s.racy() {
		t.Cleanup(func() { c.Close() })
	}
	return c
}

// racy is whether the race detector would report the framework's own races.
func (s subject) racy() bool { return raceDetector && s.Races.Ending != "" }

func (s subject) skipRacy(t tester) {
	if s.racy() {
		t.Skip("under the race detector: ", s.Races.Ending)
	}
}

func within(t tester, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// echoCall is a call of random bytes, of which all must come back.
func echoCall(c framework.Client, workers, size int) loadgen.Call {
	requests := call.EchoRequests(workers, size)
	return c.Echo(requests, call.CheckAll(requests))
}

// as asserts what a variant says of its client.
func as[C framework.Client](t tester, c framework.Client) C {
	as, err := framework.As[C](c)
	require.NoError(t, err)
	return as
}
