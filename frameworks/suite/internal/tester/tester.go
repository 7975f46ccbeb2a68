// Package tester has what the tests of variants share: what they need of a *testing.T, a
// bound of time, a call, a server of connections, and how result lines are read.
package tester

import (
	"context"
	"net"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/loadgen"
)

// T is the part of a *testing.T that tests of variants use. It is an interface because only
// the face of the suite imports package testing.
type T interface {
	cleaner
	Context() context.Context
	Fatal(args ...any)
	Helper()
	Logf(format string, args ...any)
	Parallel()
	Run(name string, part func(T)) bool
	Skip(args ...any)
}

// cleaner is the part of a test that a server needs.
type cleaner interface {
	require.TestingT
	Cleanup(f func())
}

// Enough bounds what should take a moment, even on a busy machine.
const Enough = 20 * time.Second

// Within returns a context that ends after a time, or with the test.
func Within(t T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// Call returns a call that sends random bytes and checks that all of them come back.
func Call(c framework.Client, workers, size int) loadgen.Call {
	requests := call.EchoRequests(workers, size)
	return c.Echo(requests, call.CheckAll(requests))
}

// Serve serves each connection on loopback, and closes it. Stop refuses further ones, as
// does the end of the test.
func Serve(t cleaner, serve func(net.Conn)) (addr string, stop func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	stop = func() { l.Close() }
	t.Cleanup(stop)
	return l.Addr().String(), stop
}
