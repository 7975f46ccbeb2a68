package tcp

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// check returns why this process cannot have such windows.
func (w window) check() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return w.set(uintptr(fd))
}

// set sets the clamp, the buffers and the largest segment of a socket that is not open yet.
func (w window) set(fd uintptr) error {
	if err := w.size(fd, "receive", unix.SO_RCVBUFFORCE, unix.SO_RCVBUF); err != nil {
		return err
	}
	if err := w.size(fd, "send", unix.SO_SNDBUFFORCE, unix.SO_SNDBUF); err != nil {
		return err
	}
	if err := unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG, w.segment()); err != nil {
		return fmt.Errorf("TCP_MAXSEG: %w", err)
	}
	return w.clamp(fd)
}

// size sets the size of a buffer, beyond the system's limit if the process may.
func (w window) size(fd uintptr, buffer string, force, option int) error {
	if unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, force, w.buffer()) != nil {
		if err := unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, option, w.buffer()); err != nil {
			return fmt.Errorf("the %s buffer: %w", buffer, err)
		}
	}
	got, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, option)
	if got /= 2; err == nil && got < int(w) { // the kernel doubles what it is given
		err = w.short(buffer, got)
	}
	return err
}

// clamp bounds the window that a socket advertises.
func (w window) clamp(fd uintptr) error {
	if err := unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_WINDOW_CLAMP, int(w)); err != nil {
		return fmt.Errorf("TCP_WINDOW_CLAMP: %w", err)
	}
	return nil
}
