package tcp

import (
	"net"
	"syscall"
	"time"
)

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
