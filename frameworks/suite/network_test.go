package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

func TestNetworks(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo|Conn", "-framework=tiny", "-conc=10", "-conns=4", "-size=1KiB", "-conn=single", "-net=unix,none,rate-1gbit")...)
	require.Zero(t, code, errOut)
	want := []string{"conc=10/net=unix", "conc=10", "conc=10/net=rate-1gbit", "conn=single/call=sync/conc=10/net=unix", "conn=single/call=sync/conc=10", "conn=single/call=sync/conc=10/net=rate-1gbit"}
	if strings.Contains(out, "# skipped: net=rate-1gbit: ") { // this machine has no lines
		want = append(want[:2], want[3:5]...)
	}
	lines := resultLines(out)
	require.Len(t, lines, len(want), out)
	for i, keys := range want {
		assert.Regexp(t, keys+`(-\d+)?\s`, lines[i])
		if strings.HasPrefix(keys, "conc=") {
			assert.Regexp(t, `\s4\.000 conns`, lines[i], "those of the load")
		}
	}
}

func TestNetworksThatCannotBeHad(t *testing.T) {
	unraced(t)
	t.Parallel()
	const reason = "net=delay-1ms: no network of its own: it takes the command unshare of util-linux: "
	noPath := []string{"PATH="}
	out, errOut, code := selfIn(t, noPath, measuring("Echo", "-framework=tiny", "-size=1KiB", "-net=none,delay-1ms")...)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "# skipped: "+reason)
	assert.Len(t, resultLines(out), 1)
	out, errOut, code = selfIn(t, noPath, measuring("Echo", "-framework=tiny", "-size=1KiB", "-net=delay-1ms")...)
	assert.Equal(t, 2, code)
	assert.Contains(t, errOut, "nothing is left to measure: "+reason)
	assert.Equal(t, 1, strings.Count(errOut, "\n"), "one sentence: %s", errOut)
	assert.Empty(t, resultLines(out))
}

// TestConformanceOverALine has the parts of the conformance test of a variant that is
// right, and none over a line that cannot be had, which must not pass.
func TestConformanceOverALine(t *testing.T) {
	t.Parallel()
	unraced(t)
	const net = "delay-1ms_loss-0.5%"
	of := func(t *testing.T, nets string, env ...string) (out string, code int) {
		out, errOut, code := selfIn(t, env, "-test.run=^TestConformanceOf$", "-test.v", "-framework=tiny", "-net="+nets)
		return out + errOut, code
	}
	part := func(result, name string) string {
		return "--- " + result + ": TestConformanceOf/framework=tiny/transport=tcp/codec=gob" + name
	}
	t.Run("there is none", func(t *testing.T) {
		t.Parallel()
		out, code := of(t, net, "PATH=")
		assert.Equal(t, 1, code)
		assert.Contains(t, out, "no network of its own: ")
		assert.NotContains(t, out, "/echo")
	})
	out, code := of(t, "none,"+net+",proxy-haproxy")
	if strings.Contains(out, "no network of its own: ") {
		t.Skip(out)
	}
	require.Zero(t, code, out)
	for _, want := range []string{part("PASS", "/echo"), part("PASS", "/net="+net+"/echo"), part("PASS", "/net="+net+"/server_stopped"), part("SKIP", "/net=proxy-haproxy")} {
		assert.Contains(t, out, want)
	}
}

// TestTransfersLongerThanTheWatchdog: over a line a transfer may take the time of its bytes,
// which is twice that of the watchdog here.
func TestTransfersLongerThanTheWatchdog(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, measuring("Bulk", "-framework=tiny", "-bulk=256KiB", "-transfers=1", "-watchdog=500ms", "-net=rate-4mbit", "-test.benchtime=1x")...)
	if strings.Contains(errOut, "no network of its own: ") {
		t.Skip(errOut)
	}
	require.Zero(t, code, errOut)
	require.Len(t, resultLines(out), 1, out)
	assert.Greater(t, tester.Value(t, resultLines(out)[0], "ns/op"), 1e9, "there and back")
	assert.Zero(t, tester.Value(t, resultLines(out)[0], "errors"))
}
