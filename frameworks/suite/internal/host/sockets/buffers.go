package sockets

import "fmt"

// EnoughBuffer is what QUIC wants of the receive and send buffers of a UDP socket, in bytes. With
// less, datagrams are lost in bursts.
const EnoughBuffer = 7 << 20

// SmallBuffers says what to set where UDP sockets cannot have large buffers; "" if they can, or
// if the system does not tell.
func SmallBuffers() string {
	receive, send, err := buffers(EnoughBuffer)
	if err != nil {
		return ""
	}
	return small(receive, send)
}

// small is SmallBuffers of the buffers that a socket got.
func small(receive, send int) string {
	if receive >= EnoughBuffer && send >= EnoughBuffer {
		return ""
	}
	return fmt.Sprintf("a UDP socket gets buffers of %d KiB to receive and %d KiB to send where QUIC wants %d, so that datagrams may be lost in bursts: "+
		"sysctl -w net.core.rmem_max=7500000 net.core.wmem_max=7500000", receive>>10, send>>10, EnoughBuffer>>10)
}
