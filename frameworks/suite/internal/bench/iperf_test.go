package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestIperfIsBesideRawTCP over loopback and over lines, and says where it is missing.
func TestIperfIsBesideRawTCP(t *testing.T) {
	tcp := []framework.Variant{{Keys: framework.Keys{Framework: "tcp"}, Abilities: framework.Abilities{Kind: framework.Bare, Streams: true}}}
	flags := []string{"-bench=Bulk/./mode=oneway", "-bulk=1MiB", "-transfers=1,2", "-net=none,delay-1ms,proxy-nginx"}
	missing := "BenchmarkBulk: mode=oneway: framework=iperf3: iperf3 is not installed"
	for _, installed := range []bool{true, false} {
		dir := t.TempDir()
		if installed {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "iperf3"), []byte("#!/bin/sh\n"), 0o700))
		}
		t.Setenv("PATH", dir)
		p := planned(t, tcp, flags...)
		var names []string
		for _, c := range p.Selected() {
			if c.Framework == "iperf3" {
				names = append(names, strings.TrimPrefix(c.Name(), "BenchmarkBulk/framework=iperf3/mode=oneway/size=1MiB/"))
			}
		}
		want := []string{"parallel=1/net=none", "parallel=2/net=none", "parallel=1/net=delay-1ms", "parallel=2/net=delay-1ms"}
		if !installed {
			want = nil
		}
		assert.Equal(t, want, names)
		assert.Equal(t, !installed, slices.Contains(p.Absent(), missing), p.Absent())
	}
}
