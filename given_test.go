package rpcbench_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// TestAServerOfAnotherProtocol is noticed by every framework, within -watchdog.
func TestAServerOfAnotherProtocol(t *testing.T) {
	for _, v := range frameworks {
		if !v.Recommended {
			continue
		}
		t.Run(v.ID(), func(t *testing.T) {
			other := "framework=netrpc/transport=tcp/codec=json" // of which no frame is one of another's
			if v.Framework == "netrpc" {
				other = "framework=grpc/transport=h2/codec=protobuf"
			}
			h, err := host.Start(t.Context(), host.Config{Serve: other})
			require.NoError(t, err)
			defer h.Stop()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.bench=Echo", "-test.benchtime=1x", "-size=1KiB", "-watchdog=2s", "-server="+v.ID()+"@"+h.Addr())
			var out, errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errOut
			assert.Error(t, cmd.Run())
			assert.Equal(t, 2, cmd.ProcessState.ExitCode(), "%s%s", &out, &errOut)
			assert.Contains(t, errOut.String(), v.ID()+" at "+h.Addr()+": ")
			assert.Empty(t, out.String())
			t.Logf("%s", &errOut)
		})
	}
}
