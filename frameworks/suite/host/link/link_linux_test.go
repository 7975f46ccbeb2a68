package link

import (
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/storm"
)

// newLink opens a link, or skips the test if this machine cannot make links.
func newLink(t *testing.T, s Shape) *Link {
	t.Helper()
	l, err := New(s)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestThereAndBack(t *testing.T) {
	l := newLink(t, Shape{})
	var server net.Listener
	require.NoError(t, l.Inside(func() (err error) {
		server, err = net.Listen("tcp", net.JoinHostPort(l.FarIP(), "0"))
		return err
	}))
	defer server.Close()
	go func() {
		if c, err := server.Accept(); err == nil {
			c.Write([]byte("x"))
			c.Close()
		}
	}()
	c, err := net.DialTimeout("tcp", server.Addr().String(), 20*time.Second)
	require.NoError(t, err)
	defer c.Close()
	n, err := c.Read(make([]byte, 2))
	assert.NoError(t, err)
	assert.Equal(t, 1, n)
}

// TestTheThreadComesBack: otherwise other goroutines would run in the link's namespace.
func TestTheThreadComesBack(t *testing.T) {
	here, err := os.Readlink("/proc/self/ns/net")
	require.NoError(t, err)
	l := newLink(t, Shape{})
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

func TestTheDevicesGoWithTheLink(t *testing.T) {
	l := newLink(t, Shape{})
	sleep := exec.CommandContext(t.Context(), "sleep", "1000")
	require.NoError(t, l.Inside(sleep.Start))
	defer sleep.Wait()
	defer sleep.Process.Kill()
	l.Close()
	_, err := net.InterfaceByName(l.device)
	assert.NoError(t, err, "a process is still there")
	sleep.Process.Kill()
	sleep.Wait()
	gone := func() bool { _, err := net.InterfaceByName(l.device); return err != nil }
	assert.Eventually(t, gone, 20*time.Second, 10*time.Millisecond)
}

// TestShapes makes every shape that this kernel supports.
func TestShapes(t *testing.T) {
	newLink(t, Shape{})
	for name, s := range map[string]Shape{"delay": {Delay: time.Millisecond}, "rate": {Rate: 1e9}} {
		t.Run(name, func(t *testing.T) { newLink(t, s) })
	}
}

func TestLinksOfOneProcessDiffer(t *testing.T) {
	a, b := newLink(t, Shape{}), newLink(t, Shape{})
	assert.NotEqual(t, a.FarIP(), b.FarIP())
}

func TestWithoutTheCommands(t *testing.T) {
	newLink(t, Shape{})
	t.Setenv("PATH", "")
	_, err := New(Shape{})
	assert.ErrorContains(t, err, "it takes the command ip of iproute2")
}

// TestANamespaceThatCannotBeOpened: there is a descriptor for the namespace of the test,
// and none for a new one.
func TestANamespaceThatCannotBeOpened(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("it takes root")
	}
	restore, err := storm.SpareDescriptors(1)
	require.NoError(t, err)
	defer restore()
	_, err = newNamespace()
	assert.ErrorIs(t, err, unix.EMFILE)
}
