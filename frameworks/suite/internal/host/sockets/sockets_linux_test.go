package sockets

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// echo accepts connections and sends back what comes.
func echo(t *testing.T, network, addr string) net.Listener {
	l, err := net.Listen(network, addr)
	if err != nil {
		t.Skip(err) // without IPv6
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(c, c); c.Close() }()
		}
	}()
	return l
}

func dial(t *testing.T, l net.Listener) net.Conn {
	c, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// send sends a message and waits until it has come back.
func send(t *testing.T, c net.Conn, size int) {
	_, err := c.Write(make([]byte, size))
	require.NoError(t, err)
	_, err = io.ReadFull(c, make([]byte, size))
	require.NoError(t, err)
}

func TestTraffic(t *testing.T) {
	for _, c := range []struct {
		about, network, addr string
		sizes                []int
		payload, segments    int64
	}{
		{"a message there and back is two segments", "tcp4", "127.0.0.1:0", []int{1000}, 1000, 2},
		{"each message counts", "tcp4", "127.0.0.1:0", []int{1, 20, 300}, 321, 6},
		{"IPv6 as well", "tcp6", "[::1]:0", []int{1000}, 1000, 2},
		{"nothing is sent", "tcp4", "127.0.0.1:0", nil, 0, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			l := echo(t, c.network, c.addr)
			ports, err := PortsOf(l.Addr().String())
			require.NoError(t, err)
			conn, other := dial(t, l), dial(t, echo(t, "tcp4", "127.0.0.1:0"))
			before, err := OwnTraffic(ports)
			require.NoError(t, err)
			for _, size := range c.sizes {
				send(t, conn, size)
				send(t, other, size)
			}
			after, err := OwnTraffic(ports)
			require.NoError(t, err)
			sum, err := after.Since(before)
			require.NoError(t, err)
			assert.Equal(t, [3]int64{c.payload, c.payload, c.segments}, [3]int64{sum.Sent, sum.Received, sum.Segments})
		})
	}
}

func TestTrafficOfOtherConnectionsIsNotKnown(t *testing.T) {
	l := echo(t, "tcp4", "127.0.0.1:0")
	ports, err := PortsOf(l.Addr().String())
	require.NoError(t, err)
	none, err := OwnTraffic(ports)
	require.NoError(t, err)
	_, err = none.Since(none)
	assert.EqualError(t, err, "no connection stays open")

	first := dial(t, l)
	one, err := OwnTraffic(ports)
	require.NoError(t, err)
	require.NoError(t, first.Close())
	send(t, dial(t, l), 10) // another, which may have the descriptor of the first
	another, err := OwnTraffic(ports)
	require.NoError(t, err)
	_, err = another.Since(one)
	assert.EqualError(t, err, "connections were opened or closed meanwhile")
}

// sock_diag and the kernel's tables list the same sockets.
func TestSocketsAreThoseOfTheTables(t *testing.T) {
	l, six := echo(t, "tcp4", "127.0.0.1:0"), echo(t, "tcp6", "[::1]:0")
	send(t, dial(t, l), 1)
	send(t, dial(t, six), 1)
	ports, err := PortsOf(l.Addr().String(), six.Addr().String())
	require.NoError(t, err)
	ours := func(all []socket, err error) []socket {
		require.NoError(t, err)
		return slices.DeleteFunc(all, func(s socket) bool { return s.inode == "0" || !ports[s.local] && !ports[s.remote] })
	}
	diagnosed, tabled := ours(diagnosed(os.Getpid(), tcp)), ours(tabled(os.Getpid(), tcp))
	assert.Len(t, tabled, 2+4)
	assert.ElementsMatch(t, tabled, diagnosed)
}

// A process's connections are counted alike by sock_diag and by the kernel's tables.
func TestOwnConnectionsAreCounted(t *testing.T) {
	l := echo(t, "tcp4", "127.0.0.1:0")
	first, second := dial(t, l), dial(t, l)
	dial(t, echo(t, "tcp4", "127.0.0.1:0"))
	again, err := first.(*net.TCPConn).File()
	require.NoError(t, err)
	defer again.Close()
	ports, err := PortsOf(l.Addr().String())
	require.NoError(t, err)
	same := func(want int, says string) {
		t.Helper()
		n, err := Connections(l.Addr().String(), os.Getpid())
		require.NoError(t, err)
		assert.Equal(t, want, n, says)
		all, err := tabled(os.Getpid(), tcp)
		require.NoError(t, err)
		own, err := inodes(os.Getpid())
		require.NoError(t, err)
		assert.Equal(t, want, count(all, ports, own), "by the tables: %s", says)
	}
	same(2, "one is open as two descriptors, and one leads elsewhere")
	require.NoError(t, second.(*net.TCPConn).CloseWrite())
	same(1, "one is being closed")
}

func TestInodes(t *testing.T) {
	l := echo(t, "tcp4", "127.0.0.1:0")
	ports, err := PortsOf(l.Addr().String())
	require.NoError(t, err)
	send(t, dial(t, l), 1)
	all, err := Inodes(os.Getpid(), ports)
	require.NoError(t, err)
	assert.Len(t, all, 3, "the listener and both ends")
	_, err = Inodes(1<<30, ports)
	assert.Error(t, err, "no such process")
	assert.Empty(t, Inode(os.Getpid(), 1<<20), "no such file")
}

// Both ends of a connection to a path are found, of which the client's has no path.
func TestInodesOfAPath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a b")
	connect := func(path string) {
		l, err := net.Listen("unix", path)
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		near, err := net.Dial("unix", path)
		require.NoError(t, err)
		t.Cleanup(func() { near.Close() })
		far, err := l.Accept()
		require.NoError(t, err)
		t.Cleanup(func() { far.Close() })
	}
	connect(path)
	connect(filepath.Join(dir, "a"))
	all, err := Inodes(os.Getpid(), nil, path)
	if err != nil {
		t.Skip(err) // a kernel without unix_diag
	}
	assert.Len(t, all, 3, "the listener and both ends, and none of the other path")
	own, err := inodes(os.Getpid())
	require.NoError(t, err)
	for inode := range all {
		assert.True(t, own[inode])
	}
}

func TestSplit(t *testing.T) {
	ports, paths, err := Split("127.0.0.1:80", "/tmp/a b:c", "[::1]:81")
	require.NoError(t, err)
	assert.Equal(t, Ports{80: true, 81: true}, ports)
	assert.Equal(t, []string{"/tmp/a b:c"}, paths)
	_, _, err = Split("/tmp/a", "localhost")
	assert.Error(t, err)
}

func TestPortsOf(t *testing.T) {
	ports, err := PortsOf("127.0.0.1:80", "[::1]:81")
	require.NoError(t, err)
	assert.Equal(t, Ports{80: true, 81: true}, ports)
	for _, addr := range []string{"", "127.0.0.1", "127.0.0.1:http"} {
		_, err := PortsOf(addr)
		assert.Error(t, err, addr)
	}
}
