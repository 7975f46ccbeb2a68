package remote

import (
	"bytes"
	"encoding/binary"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The same as TestASessionIsNotOpen, heard on the interface itself.
// No other test's packets fill the buffer meanwhile.
func TestPacketsAreNotOpen(t *testing.T) {
	addr, id := known(t)
	heard := overhear(t, netip.MustParseAddrPort(addr).Port())
	session(t, addr, Secret{Token: secret, Fingerprint: id.Fingerprint})
	requireSealed(t, heard(), id)
}

// overhear begins to collect the packets from and to a port of this machine. heard ends that
// and returns them.
func overhear(t *testing.T, port uint16) (heard func() string) {
	const all = 0x0300 // ETH_P_ALL in the order of the network
	fd, err := syscall.Socket(syscall.AF_PACKET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, all)
	if err != nil {
		t.Skip("packets are read by root alone: ", err)
	}
	lo, err := net.InterfaceByName("lo")
	require.NoError(t, err)
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrLinklayer{Protocol: all, Ifindex: lo.Index}))
	require.NoError(t, syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &syscall.Timeval{Usec: 100_000}))
	_ = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_RCVBUFFORCE, 64<<20) // for those of other processes
	var text bytes.Buffer
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer syscall.Close(fd)
		collect(fd, port, &text, end)
	})
	return func() string {
		time.Sleep(100 * time.Millisecond) // the last packets
		close(end)
		wg.Wait()
		return text.String()
	}
}

// collect appends what the segments of a port carry, each of them once.
func collect(fd int, port uint16, to *bytes.Buffer, end <-chan struct{}) {
	packet := make([]byte, 64<<10) // the most of loopback
	for begin := time.Now(); time.Since(begin) < patience; {
		n, from, err := syscall.Recvfrom(fd, packet, 0)
		if link, ok := from.(*syscall.SockaddrLinklayer); err == nil && ok && link.Pkttype != syscall.PACKET_OUTGOING {
			to.Write(segment(packet[:n], port))
		}
		select {
		case <-end:
			return
		default:
		}
	}
}

// segment returns what a packet of TCP over IPv4 carries from or to a port; nil for others.
func segment(packet []byte, port uint16) []byte {
	if len(packet) < 20 || packet[0]>>4 != 4 || packet[9] != syscall.IPPROTO_TCP {
		return nil
	}
	head := int(packet[0]&15) * 4
	if len(packet) < head+20 {
		return nil
	}
	tcp := packet[head:]
	if binary.BigEndian.Uint16(tcp) != port && binary.BigEndian.Uint16(tcp[2:]) != port {
		return nil
	}
	return tcp[min(len(tcp), int(tcp[12]>>4)*4):]
}

func TestSegments(t *testing.T) {
	t.Parallel()
	packet := make([]byte, 40, 50)
	packet[0], packet[9], packet[32] = 0x45, syscall.IPPROTO_TCP, 0x50
	packet[21], packet[22] = 7, 1 // from 7 to 256
	packet = append(packet, "payload"...)
	for port, want := range map[uint16]string{7: "payload", 256: "payload", 8: ""} {
		require.Equal(t, want, string(segment(packet, port)))
	}
	for n := range 40 {
		require.Empty(t, segment(packet[:n], 7))
	}
}
