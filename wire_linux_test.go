package rpcbench_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/suitetest"
)

// envAlone is set in a process that has a network of its own.
const envAlone = "RPCBENCH_TEST_ALONE"

// headers are the bytes of a segment beside its payload: IPv4, TCP, and the timestamps
// that Linux sends.
const headers = 20 + 20 + 12

// TestWireBytes compares what the kernel counts for connections with what it counts for
// the interface, in a network in which nothing else is sent.
func TestWireBytes(t *testing.T) {
	if os.Getenv(envAlone) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWireBytes$", "-test.v")
		cmd.Env = append(os.Environ(), envAlone+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
		out, err := cmd.CombinedOutput()
		if os.IsPermission(err) {
			t.Skip("a network of its own takes root: ", err)
		}
		require.NoError(t, err, "%s", out)
		t.Logf("%s", out)
		return
	}
	loopbackUp(t)
	for _, name := range []string{"grpc", "kitex", "rpcx", "arpc", "netrpc", "tcp"} {
		t.Run(name, func(t *testing.T) { compareWire(t, recommendedOf(t, name)) })
	}
}

func recommendedOf(t *testing.T, name string) framework.Variant {
	for _, v := range frameworks {
		if v.Framework == name && v.Recommended {
			return v
		}
	}
	t.Fatal("no recommended variant")
	return framework.Variant{}
}

func compareWire(t *testing.T, v framework.Variant) {
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
	require.NoError(t, err)
	defer c.Close()
	const size, calls = 1 << 10, 1000
	call := c.Echo([]framework.EchoMessage{{Action: handler.ActionEcho, Msg: make([]byte, size)}}, func(int, framework.EchoMessage) error { return nil })
	make := func(n int) {
		for range n {
			require.NoError(t, call(t.Context(), 0))
		}
	}
	make(100)
	bytes, packets := loopback(t)
	got := suitetest.Carried(t, s.Addr(), func() { make(calls) })
	bytesThen, packetsThen := loopback(t)

	payload := bytesThen - bytes - headers*(packetsThen-packets)
	assert.InEpsilon(t, payload, got.Sent+got.Received, .01, "all that the interface has carried")
	assert.GreaterOrEqual(t, packetsThen-packets, got.Segments, "some have no payload")
	t.Logf("%s: %d bytes of payload on the interface, %d of the connections", v.ID(), payload, got.Sent+got.Received)
	if v.Framework == "tcp" {
		const header = 12
		assert.EqualValues(t, calls*(size+header), got.Sent)
		assert.EqualValues(t, calls*(size+header), got.Received)
	}
}

// loopback is what the interface has carried, in bytes from the IP header on.
func loopback(t *testing.T) (bytes, packets int64) {
	text, err := os.ReadFile("/proc/net/dev")
	require.NoError(t, err)
	_, line, found := strings.Cut(string(text), "lo:")
	require.True(t, found)
	_, err = fmt.Sscan(line, &bytes, &packets)
	require.NoError(t, err)
	return bytes, packets
}

func loopbackUp(t *testing.T) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	require.NoError(t, err)
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	require.NoError(t, unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo))
}
