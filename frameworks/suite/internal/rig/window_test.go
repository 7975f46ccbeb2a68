package rig

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

func TestWindowsOfTCP(t *testing.T) {
	networks := plan.NewOptions().Networks
	networks.Set("none,delay-10ms")
	for _, c := range []struct {
		about   string
		network int
		window  string
		tcp     sockets.Windows
		says    string
	}{
		{"as large as the case's", 1, "64KiB", sockets.Windows{Own: 64 << 10, Peer: 64 << 10}, ""},
		{"smaller by what the kernel rounds", 1, "64KiB", sockets.Windows{Own: 64240, Peer: 64 << 10}, ""},
		{"smaller", 1, "4MiB", sockets.Windows{Own: 8 << 20, Peer: 3 << 20}, "TCP's window is 3145728 bytes, so window=4MiB is not the limit: raise net.ipv4.tcp_rmem, or transfer more"},
		{"of one way", 1, "4MiB", sockets.Windows{Peer: 3 << 20}, "TCP's window is 3145728 bytes, so window=4MiB is not the limit: raise net.ipv4.tcp_rmem, or transfer more"},
		{"not known", 1, "4MiB", sockets.Windows{}, ""},
		{"without a round trip nothing waits for one", 0, "4MiB", sockets.Windows{Own: 1, Peer: 1}, ""},
		{"of a case without a window", 1, "", sockets.Windows{Own: 1, Peer: 1}, ""},
	} {
		v := framework.Variant{Keys: framework.Keys{Framework: "a", Window: c.window}}
		got := narrow(plan.Case{Target: plan.Target{Variant: v}, Network: networks.Values[c.network]}, c.tcp)
		assert.Equal(t, c.says, got, c.about)
	}
}

func TestWindowsThatWereUsed(t *testing.T) {
	w := sockets.Windows{Own: 1, Peer: 2, Received: 100, Sent: 1 << 20}
	assert.Zero(t, used(w).Own, "the way back has acknowledgements alone")
	assert.EqualValues(t, 2, used(w).Peer)
	assert.Len(t, windowMetrics(used(w)), 1)
}

// The windows of both sides are named, and one of exactly the first size was not used.
func TestWindowsOfSides(t *testing.T) {
	w := sockets.Windows{Own: 1, Peer: 2, Received: firstWindow + 1, Sent: firstWindow + 1}
	assert.Equal(t, []loadbench.Metric{{Value: 1, Unit: "client-window-B"}, {Value: 2, Unit: "server-window-B"}}, windowMetrics(used(w)))
	w.Received, w.Sent = firstWindow, firstWindow
	assert.Empty(t, windowMetrics(used(w)))
}
