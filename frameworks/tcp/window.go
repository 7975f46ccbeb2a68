package tcp

import (
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// window is the size in bytes of the receive windows that connections advertise; 0 leaves
// it to the kernel, which lets windows grow. Both buffers of a connection are larger, so
// that the windows alone bound what is under way.
type window int

// leastWindow is the smallest window of a variant. Linux has no smaller receive buffer that
// holds a few segments.
const leastWindow = 4 << 10

// windows describes the windows of a variant of which with makes others.
func windows(with func(options) framework.Variant) *framework.Windows {
	return &framework.Windows{
		Default: "the kernel's, which grow up to its `net.ipv4.tcp_rmem`",
		Least:   leastWindow,
		Check:   func(bytes int) error { return window(bytes).check() },
		With:    func(bytes int) framework.Variant { return with(options{window: window(bytes)}) },
	}
}

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

// control sets the options of a socket before it listens or connects, because the kernel
// then chooses how windows are scaled. It is nil for a window that the kernel chooses.
func (w window) control() func(network, address string, c syscall.RawConn) error {
	if w == 0 {
		return nil
	}
	return func(_, _ string, c syscall.RawConn) (err error) {
		if failed := c.Control(func(fd uintptr) { err = w.set(fd) }); failed != nil {
			return failed
		}
		return err
	}
}

// The clamp is set again at first after firstKeep and at last every lastKeep.
const (
	firstKeep = time.Millisecond
	lastKeep  = 50 * time.Millisecond
)

// keep sets the clamp of an open connection again and again, because the kernel changes it
// when the size of the segments that arrive tells it how much payload a buffer holds.
func (w window) keep(c net.Conn) {
	if open, ok := c.(syscall.Conn); ok && w != 0 {
		go w.keepOpen(open)
	}
}

// keepOpen returns when c is closed.
func (w window) keepOpen(c syscall.Conn) {
	raw, err := c.SyscallConn()
	for pause := firstKeep; err == nil; pause = min(2*pause, lastKeep) {
		err = raw.Control(func(fd uintptr) { w.clamp(fd) })
		time.Sleep(pause)
	}
}

// short is the error of a kernel that gives a buffer less than the window.
func (w window) short(buffer string, got int) error {
	return fmt.Errorf("the kernel gives a %s buffer of %d bytes, less than the window of %d bytes: raise net.core.rmem_max and net.core.wmem_max, or run as root", buffer, got, w)
}

// buffer is the size of the buffers, where the system's limit allows it. The kernel takes as
// much again for what it adds to the payload.
func (w window) buffer() int { return min(2*int(w), 1<<30-1) }
