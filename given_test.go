package rpcbench_test

import (
	"io"
	"net"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
)

// TestServersOfOthers gives servers that are running already to -server: those
// of other frameworks that speak the same protocol.
func TestServersOfOthers(t *testing.T) {
	const (
		grpc = "framework=grpc/transport=h2/codec=protobuf"
		conn = "framework=tcp/transport=conn"
	)
	for _, c := range []struct{ about, server, client, keys, skip string }{
		{"connect's server speaks gRPC, too", "framework=connect/transport=h2c/codec=protobuf", "./frameworks/grpc", grpc, "^$"},
		{"and kitex's does but for the service of the stream", "framework=kitex/transport=grpc/codec=protobuf", "./frameworks/grpc", grpc, "(streams|transfers)"},
		{"a server knows nothing of how its client shares connections", "framework=tcp/transport=mux/codec=none", "./frameworks/tcp", conn, "^$"},
	} {
		t.Run(c.about, func(t *testing.T) {
			h, err := host.Start(t.Context(), host.Config{Serve: c.server})
			require.NoError(t, err)
			defer h.Stop()
			out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-v", "-run=^TestConformance$", "-skip=////"+c.skip,
				c.client, "-server="+c.keys+"@"+h.Addr()).CombinedOutput()
			assert.NoError(t, err, "%s", out)
			assert.Contains(t, string(out), "--- PASS: TestConformance/"+c.keys)
		})
	}
}

// TestStrangers gives each framework servers that are not of its protocol. An echo server is
// a right one of raw TCP.
func TestStrangers(t *testing.T) {
	for _, v := range frameworks {
		if !v.Recommended || v.Kind == framework.Bare {
			continue
		}
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			suite.Strangers(t, v, false)
		})
	}
}

// TestAnEchoServer is refused before anything is measured, where what is sent back would pass
// for a reply.
func TestAnEchoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go io.Copy(c, c) // until the client closes it
		}
	}()
	for _, keys := range []string{"framework=brpc/transport=baidu_std/codec=protobuf", "framework=rpcx/transport=tcp/codec=protobuf", "framework=netrpc/transport=tcp/codec=gob"} {
		out, errOut, code, err := host.Again(t.Context(), "-test.run=^$", "-test.bench=Echo", "-test.benchtime=1x", "-size=1KiB", "-watchdog=2s", "-server="+keys+"@"+l.Addr().String())
		require.NoError(t, err)
		assert.Equal(t, 1, code)
		assert.Contains(t, errOut, keys+" at "+l.Addr().String()+": it answers a request that has to fail, Echo with the action fail, as any other")
		assert.Empty(t, out)
	}
}
