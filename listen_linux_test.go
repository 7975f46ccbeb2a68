package rpcbench_test

import (
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/suitetest"
)

// TestServersListenOnLoopback: SECURITY.md says that servers and their controls listen on no other
// address, unless they are told to.
func TestServersListenOnLoopback(t *testing.T) {
	t.Parallel()
	for _, v := range frameworks {
		if !v.Recommended || v.StandIn {
			continue
		}
		t.Run(v.ID(), func(t *testing.T) {
			at := heardAt(t, suitetest.Start(t, v.ID()).PID)
			assert.GreaterOrEqual(t, len(at), 2, "a server and its control")
			for _, ip := range at {
				assert.True(t, ip.IsLoopback(), "it listens on %v", ip)
			}
		})
	}
}

// heardAt returns the addresses at which a process takes connections or packets.
func heardAt(t *testing.T, pid int) (list []net.IP) {
	t.Helper()
	sockets, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	require.NoError(t, err)
	for i, file := range sockets {
		sockets[i], _ = os.Readlink(file) // fails if it was closed meanwhile
	}
	for _, kind := range []string{"tcp", "tcp6", "udp", "udp6"} {
		for line := range strings.Lines(read(t, fmt.Sprintf("/proc/%d/net/%s", pid, kind))) {
			f := strings.Fields(line) // number, address, far address, state, …
			const listens = "0A"
			if len(f) > 9 && slices.Contains(sockets, "socket:["+f[9]+"]") && (f[3] == listens || strings.HasPrefix(kind, "udp")) {
				list = append(list, addressOf(t, f[1]))
			}
		}
	}
	return list
}

// addressOf reads an address in the kernel's tables: words in the order of the machine's bytes,
// and behind a colon the port.
func addressOf(t *testing.T, text string) net.IP {
	t.Helper()
	words, _, _ := strings.Cut(text, ":")
	ip, err := hex.DecodeString(words)
	require.NoError(t, err)
	for word := range slices.Chunk(ip, 4) {
		slices.Reverse(word)
	}
	return ip
}
