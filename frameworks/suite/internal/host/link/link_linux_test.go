package link

import (
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// TestMain runs the tests in a namespace of their own, where this machine can make one.
func TestMain(m *testing.M) {
	if Serving() {
		os.Exit(Serve())
	}
	_ = Enter() // tests that need it say why they are skipped
	os.Exit(m.Run())
}

func begin(cmd *exec.Cmd) (wait func() error, err error) { return cmd.Wait, cmd.Start() }

// newLink opens a link, or skips the test if this machine cannot make links.
func newLink(t testing.TB, s line.Shape) *Link {
	t.Helper()
	return newLinkOf(t, Config{Shape: s})
}

func newLinkOf(t testing.TB, c Config) *Link {
	t.Helper()
	if err := Enter(); err != nil {
		t.Skip(err)
	}
	c.Begin = begin
	l, err := New(c)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// connect returns both ends of a connection over the link.
func connect(t testing.TB, l *Link) (near, far net.Conn) {
	t.Helper()
	var server net.Listener
	require.NoError(t, l.Inside(func() (err error) {
		server, err = net.Listen("tcp", net.JoinHostPort(l.FarIP(), "0"))
		return err
	}))
	defer server.Close()
	near, err := net.DialTimeout("tcp", server.Addr().String(), 20*time.Second)
	require.NoError(t, err)
	t.Cleanup(func() { near.Close() })
	far, err = server.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { far.Close() })
	return near, far
}

func TestThereAndBack(t *testing.T) {
	t.Parallel()
	l := newLink(t, line.Shape{Delay: 20 * time.Millisecond})
	near, far := connect(t, l)
	start := time.Now()
	_, err := near.Write([]byte("x"))
	require.NoError(t, err)
	_, err = far.Read(make([]byte, 2))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, time.Since(start), 19*time.Millisecond, "a thread that wakes early may deliver early")
	c, err := l.Counts()
	require.NoError(t, err)
	t.Logf("%+v", c)
	assert.GreaterOrEqual(t, c.There.Packets, int64(3), "of the handshake and of the byte")
	assert.Zero(t, c.Unintended)
}

// TestTry: a trial finds what was asked for, within bounds that hold on a busy machine.
func TestTry(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"delay-5ms_loss-5%", "rate-10mbit", "delay-1ms_jitter-5ms"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := line.Read(name)
			require.NoError(t, err)
			l := newLink(t, s)
			got, err := l.Try(time.Second)
			require.NoError(t, err)
			t.Log(name, got, got.Doubts())
			assert.InDelta(t, got.asked().Seconds(), got.RoundTrip(.5).Seconds(), .01, name)
			assert.InEpsilon(t, float64(s.Rate)+1, got.Rate+1, .3, name)
			p := got.shape.Loss
			assert.InDelta(t, p, float64(got.Lost)/float64(got.Sent), 5*math.Sqrt(p/float64(got.Sent))+.001, name)
			c, err := l.Counts()
			require.NoError(t, err)
			assert.Zero(t, c.Unintended, name)
		})
	}
}

// TestSegmentsArePackets: the kernel hands over segments of up to 64 KiB, and each packet in
// them has its own fate.
func TestSegmentsArePackets(t *testing.T) {
	t.Parallel()
	l := newLink(t, line.Shape{Delay: time.Millisecond})
	near, far := connect(t, l)
	const size = 4 << 20
	go near.Write(make([]byte, size))
	_, err := io.ReadFull(far, make([]byte, size))
	require.NoError(t, err)
	c, err := l.Counts()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, c.There.Packets, int64(size/1448))
	assert.Less(t, c.There.Bytes/c.There.Packets, int64(1515))
}

// TestCut: a line that is cut takes its devices with it, and its counts say so.
func TestCut(t *testing.T) {
	t.Parallel()
	l := newLink(t, line.Shape{Delay: time.Millisecond})
	near, _ := connect(t, l)
	require.NoError(t, l.Cut())
	assert.Eventually(t, func() bool { _, err := l.Counts(); return err != nil }, 20*time.Second, 10*time.Millisecond)
	gone := func() bool { _, err := near.Write([]byte("x")); return err != nil || !has(t, l.near) }
	assert.Eventually(t, gone, 20*time.Second, 10*time.Millisecond)
}

// has reports whether a device of this namespace has the address.
func has(t *testing.T, ip net.IP) bool {
	addrs, err := net.InterfaceAddrs()
	require.NoError(t, err)
	return within(addrs, ip)
}

// TestTheThreadComesBack: otherwise other goroutines would run in the link's namespace.
func TestTheThreadComesBack(t *testing.T) { // threads of tests beside it would be elsewhere
	here, err := os.Readlink("/proc/self/ns/net")
	require.NoError(t, err)
	l := newLink(t, line.Shape{Delay: time.Millisecond})
	var there string
	require.NoError(t, l.Inside(func() (err error) {
		there, err = os.Readlink(ownNamespace)
		return err
	}))
	assert.NotEqual(t, here, there)
	tasks, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	for _, task := range tasks {
		if ns, err := os.Readlink("/proc/self/task/" + task.Name() + "/ns/net"); err == nil {
			assert.Equal(t, here, ns)
		}
	}
}

func TestLinksOfOneProcessDiffer(t *testing.T) {
	t.Parallel()
	a, b := newLink(t, line.Shape{Loss: .5}), newLink(t, line.Shape{Loss: .5})
	assert.NotEqual(t, a.FarIP(), b.FarIP())
}

func TestBuffers(t *testing.T) {
	t.Parallel()
	l := newLinkOf(t, Config{Shape: line.Shape{Delay: time.Millisecond}, Buffers: 64 << 20})
	read := func() error {
		text, err := os.ReadFile("/proc/sys/net/ipv4/tcp_rmem")
		assert.Equal(t, "67108864", strings.Fields(string(text))[2])
		return err
	}
	require.NoError(t, read())
	require.NoError(t, l.Inside(read))
}

func TestDropped(t *testing.T) {
	t.Parallel()
	const text = "Inter-|   Receive  |  Transmit\n face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls carrier compressed\n" +
		"    lo: 1 2 3 4 0 0 0 0 1 2 3 4 0 0 0 0\n line0:  10 20 1 2 0 0 0 0 30 40 3 4 0 0 0 0\n"
	n, err := dropped(text, "line0")
	require.NoError(t, err)
	assert.EqualValues(t, 1+2+3+4, n)
	_, err = dropped(text, "line1")
	assert.EqualError(t, err, "the namespace has no device line1")
}
