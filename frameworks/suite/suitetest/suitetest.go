// Package suitetest is for tests in packages whose TestMain is suite.Main: it starts servers of
// the table of variants, runs the test's own binary as go test does, and counts what connections
// carry.
package suitetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
)

// Server is a server in a process of its own.
type Server struct {
	Addr string // its host:port
	PID  int    // of the process
}

// Start starts a server of the table's variant with this ID. It is stopped when the test ends,
// which fails if the server has failed.
func Start(t testing.TB, id string) Server {
	t.Helper()
	h, err := host.Start(context.WithoutCancel(t.Context()), host.Config{Serve: id})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, h.Stop(), id) })
	return Server{h.Addr(), h.Ready().PID}
}

// Run runs the test binary again with other arguments, and waits for its end. It is killed when
// the test ends before. An exit code other than 0 is not a failure of the test.
func Run(t testing.TB, args ...string) (stdout, stderr string, exitCode int) {
	t.Helper()
	stdout, stderr, exitCode, err := process.Again(t.Context(), args...)
	require.NoError(t, err)
	return stdout, stderr, exitCode
}

// Traffic is what connections have carried.
type Traffic struct {
	Sent, Received int64 // bytes of TCP payload, without what was sent again
	Segments       int64 // with payload, both ways
}

// Carried returns what this process's connections to a server have carried during calls. Only
// Linux tells; elsewhere the test fails.
func Carried(t testing.TB, addr string, calls func()) Traffic {
	t.Helper()
	ports, err := sockets.PortsOf(addr)
	require.NoError(t, err)
	before, err := sockets.OwnTraffic(ports)
	require.NoError(t, err)
	calls()
	after, err := sockets.OwnTraffic(ports)
	require.NoError(t, err)
	got, err := after.Since(before)
	require.NoError(t, err)
	return Traffic{got.Sent, got.Received, got.Segments}
}

// Windows returns the receive windows in bytes that the kernels of both sides advertised last
// on that connection of this process to a server which has carried most; 0 for one that is not
// known. Only Linux tells; elsewhere the test fails.
func Windows(t testing.TB, addr string) (own, peer int64) {
	t.Helper()
	ports, err := sockets.PortsOf(addr)
	require.NoError(t, err)
	w, err := sockets.OwnWindows(ports)
	require.NoError(t, err)
	return w.Own, w.Peer
}
