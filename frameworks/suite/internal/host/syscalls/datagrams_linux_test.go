package syscalls

import (
	"encoding/binary"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const envDatagrams = "RPCBENCH_TEST_DATAGRAMS" // the address of who is sent datagrams

// sendDatagrams sends, for each datagram that comes, 100 bytes in a datagram of their own and
// 1,000 bytes that the kernel cuts into datagrams of 300.
func sendDatagrams(addr string) {
	to, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		panic(err)
	}
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		panic(err)
	}
	c.WriteToUDP([]byte{1}, to) // by which the other side knows the address
	for buf := make([]byte, 1000); ; {
		if _, _, err := c.ReadFromUDP(buf); err != nil {
			return
		}
		c.WriteToUDP(buf[:100], to)
		if _, _, err := c.WriteMsgUDP(buf, cutInto(300), to); err != nil {
			panic(err)
		}
	}
}

// cutInto is the control message that has the kernel cut.
func cutInto(size uint16) []byte {
	b := make([]byte, unix.CmsgSpace(2))
	binary.NativeEndian.PutUint64(b, uint64(unix.CmsgLen(2)))
	binary.NativeEndian.PutUint32(b[8:], unix.IPPROTO_UDP)
	binary.NativeEndian.PutUint32(b[12:], unix.UDP_SEGMENT)
	binary.NativeEndian.PutUint16(b[unix.CmsgLen(0):], size)
	return b
}

// TestDatagramsAreCounted: one that the kernel cuts is as many as come.
func TestDatagramsAreCounted(t *testing.T) {
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer c.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envDatagrams+"="+c.LocalAddr().String())
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	buf := make([]byte, 2000)
	_, from, err := c.ReadFromUDP(buf)
	require.NoError(t, err)
	tr, err := StartDatagrams([]int{cmd.Process.Pid})
	tr = begun(t, tr, err)
	before := settled(tr, cmd.Process.Pid)
	const rounds, each = 10, 1 + 4
	for range rounds {
		_, err := c.WriteToUDP([]byte{1}, from)
		require.NoError(t, err)
		for range each {
			_, _, err := c.ReadFromUDP(buf)
			require.NoError(t, err)
		}
	}
	made := settled(tr, cmd.Process.Pid).Since(before)
	require.NoError(t, tr.Stop())
	assert.Equal(t, Counts{Data: 3 * rounds, Other: made.Other, Sent: rounds * 1100, Datagrams: rounds * each}, made)
}
