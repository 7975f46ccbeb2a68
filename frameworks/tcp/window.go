package tcp

import "fmt"

// window is the size in bytes of the receive windows that connections advertise; 0 leaves
// it to the kernel, which lets windows grow. Both buffers of a connection are larger, so
// that the windows alone bound what is under way.
type window int

// leastWindow is the smallest window of a variant. Linux has no smaller receive buffer that
// holds a few segments.
const leastWindow = 4 << 10

// segment is the payload of the largest segment. A window of less than four is full before
// the receiver acknowledges, which it then does after 40 ms: on the loopback interface, whose
// segments have 64 KiB otherwise.
func (w window) segment() int { return min(int(w)/4, maxSegment) }

// maxSegment is the largest value of TCP_MAXSEG.
const maxSegment = 1<<15 - 1

// about is what About says of windows.
func (w window) about() string {
	if w == 0 {
		return ""
	}
	return "; TCP_WINDOW_CLAMP fixes the receive windows; buffers have twice the window, where they may, and segments a quarter of it at most, up to 32 KiB"
}

// short is the error of a kernel that gives a buffer less than the window.
func (w window) short(buffer string, got int) error {
	return fmt.Errorf("the kernel gives a %s buffer of %d bytes, less than the window of %d bytes: raise net.core.rmem_max and net.core.wmem_max, or run as root", buffer, got, w)
}

// buffer is the size of the buffers, where the system's limit allows it. The kernel takes as
// much again for what it adds to the payload.
func (w window) buffer() int { return min(2*int(w), 1<<30-1) }
