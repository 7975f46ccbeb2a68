package syscalls

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
)

// envPeer is set in a process that answers messages at this address.
const envPeer = "RPCBENCH_TEST_PEER"

func TestMain(m *testing.M) {
	if addr := os.Getenv(envDatagrams); addr != "" {
		sendDatagrams(addr)
		os.Exit(0)
	}
	if addr := os.Getenv(envPeer); addr != "" {
		answer(addr)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// answer reads a byte and writes one, and for each allocates, writes to a file that is
// no connection, and starts a goroutine on a thread of its own now and then.
func answer(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	out, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	for buf := make([]byte, 1); ; {
		if _, err := io.ReadFull(c, buf); err != nil {
			return
		}
		fmt.Fprintln(out, "a line")
		go time.Sleep(time.Millisecond)
		if _, err := c.Write(buf); err != nil {
			return
		}
	}
}

// peer starts a process that answers on a connection.
func peer(t *testing.T) (conn net.Conn, pid int, ports sockets.Ports) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envPeer+"="+l.Addr().String())
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	conn, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	ports, err = sockets.PortsOf(l.Addr().String())
	require.NoError(t, err)
	return conn, cmd.Process.Pid, ports
}

func exchange(t *testing.T, c net.Conn, n int) {
	r := bufio.NewReader(c)
	for range n {
		_, err := c.Write([]byte{1})
		require.NoError(t, err)
		_, err = r.ReadByte()
		require.NoError(t, err)
	}
}

// settled waits until a process makes no system call that moves bytes.
func settled(tr *Trace, pid int) Counts {
	last := tr.Counts()[pid]
	for {
		time.Sleep(20 * time.Millisecond)
		now := tr.Counts()[pid]
		if now.Data == last.Data {
			return now
		}
		last = now
	}
}

func trace(t *testing.T, pid int, ports sockets.Ports) *Trace {
	tr, err := Start([]int{pid}, ports)
	return begun(t, tr, err)
}

// begun returns a trace that ends with the test.
func begun(t *testing.T, tr *Trace, err error) *Trace {
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { tr.Stop() }) // also after a failure: a process that is traced cannot be waited for
	return tr
}

func TestEachCallThatMovesBytesIsCounted(t *testing.T) {
	conn, pid, ports := peer(t)
	exchange(t, conn, 10)
	tr := trace(t, pid, ports)
	for _, n := range []int{100, 1, 37} {
		before := settled(tr, pid)
		exchange(t, conn, n)
		made := settled(tr, pid).Since(before)
		assert.EqualValues(t, 2*n, made.Data, "a read and a write each")
		assert.GreaterOrEqual(t, made.Other, int64(n), "each line to a file that is no connection")
	}
	require.NoError(t, tr.Stop())
	exchange(t, conn, 10) // it goes on
}

func TestOtherPortsAreNotCounted(t *testing.T) {
	conn, pid, _ := peer(t)
	tr := trace(t, pid, sockets.Ports{1: true})
	exchange(t, conn, 10)
	assert.Zero(t, settled(tr, pid).Data)
	require.NoError(t, tr.Stop())
}

func TestAProcessThatEndsEndsItsTrace(t *testing.T) {
	conn, pid, ports := peer(t)
	tr := trace(t, pid, ports)
	conn.Close()
	<-tr.ended
	assert.NoError(t, tr.Stop())
}

func TestWhoCannotBeTraced(t *testing.T) {
	conn, pid, ports := peer(t)
	_, err := Start([]int{pid, os.Getpid()}, ports)
	assert.ErrorContains(t, err, "system calls cannot be counted: ptrace", "nobody traces himself")
	exchange(t, conn, 10) // the other goes on
}
