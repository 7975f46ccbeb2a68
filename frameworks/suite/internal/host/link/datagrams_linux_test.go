package link

import (
	"encoding/binary"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// datagrams returns both ends of a line for UDP.
func datagrams(t *testing.T, l *Link) (near, far *net.UDPConn) {
	require.NoError(t, l.Inside(func() (err error) {
		far, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(l.FarIP())})
		return err
	}))
	t.Cleanup(func() { far.Close() })
	near, err := net.DialUDP("udp4", nil, far.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	t.Cleanup(func() { near.Close() })
	require.NoError(t, far.SetReadDeadline(time.Now().Add(time.Minute)))
	return near, far
}

// TestDatagramsPassAsTheyAre: what QUIC sends in one system call arrives in datagrams of the size
// that it asked for, each a packet of the line, and none is lost unasked.
func TestDatagramsPassAsTheyAre(t *testing.T) {
	t.Parallel()
	const size, each, calls = 1200, 40, 20
	l := newLink(t, line.Shape{Delay: time.Millisecond})
	near, far := datagrams(t, l)
	before, err := l.Counts()
	require.NoError(t, err)
	control := make([]byte, unix.CmsgSpace(2)) // has the kernel cut what it is given
	binary.NativeEndian.PutUint64(control, uint64(unix.CmsgLen(2)))
	binary.NativeEndian.PutUint32(control[8:], unix.IPPROTO_UDP)
	binary.NativeEndian.PutUint32(control[12:], unix.UDP_SEGMENT)
	binary.NativeEndian.PutUint16(control[unix.CmsgLen(0):], size)
	buf := make([]byte, 1<<16)
	for range calls {
		_, _, err := near.WriteMsgUDP(make([]byte, each*size), control, nil)
		require.NoError(t, err)
		for range each {
			n, err := far.Read(buf)
			require.NoError(t, err)
			require.Equal(t, size, n)
		}
	}
	after, err := l.Counts()
	require.NoError(t, err)
	c := after.Since(before)
	assert.EqualValues(t, calls*each, c.There.Packets)
	assert.Zero(t, c.There.Lost+c.There.Dropped+c.Unintended, "%+v", c)
}

// TestDatagramsOverTheLargestPacket are refused, by which QUIC finds out how large they may be.
func TestDatagramsOverTheLargestPacket(t *testing.T) {
	t.Parallel()
	l := newLink(t, line.Shape{Delay: time.Millisecond})
	near, far := datagrams(t, l)
	raw, err := near.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_DO)
	}))
	require.NoError(t, err)
	const headers = 20 + 8 // of IP and UDP
	largest := line.Shape{}.Largest() - headers
	_, err = near.Write(make([]byte, largest+1))
	assert.ErrorIs(t, err, unix.EMSGSIZE)
	_, err = near.Write(make([]byte, largest))
	require.NoError(t, err)
	n, err := far.Read(make([]byte, 1<<16))
	require.NoError(t, err)
	assert.Equal(t, largest, n)
}
