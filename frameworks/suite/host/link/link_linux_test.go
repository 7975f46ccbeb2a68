package link

import (
	"net"
	"os"
	"os/exec"
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
func newLink(t *testing.T, s line.Shape) *Link {
	t.Helper()
	if err := Enter(); err != nil {
		t.Skip(err)
	}
	l, err := New(Config{Shape: s, Begin: begin})
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// connect returns both ends of a connection over the link.
func connect(t *testing.T, l *Link) (near, far net.Conn) {
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
	l := newLink(t, line.Shape{Delay: time.Millisecond})
	near, far := connect(t, l)
	start := time.Now()
	_, err := near.Write([]byte("x"))
	require.NoError(t, err)
	_, err = far.Read(make([]byte, 2))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, time.Since(start), time.Millisecond)
	c, err := l.Counts()
	require.NoError(t, err)
	t.Logf("%+v", c)
	assert.GreaterOrEqual(t, c.There.Packets, int64(3), "of the handshake and of the byte")
	assert.Zero(t, c.Spoilt)
}
