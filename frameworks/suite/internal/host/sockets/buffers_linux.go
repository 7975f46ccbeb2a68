package sockets

import (
	"cmp"

	"golang.org/x/sys/unix"
)

// buffers returns the sizes of the buffers of a UDP socket that asks for as much: first as any
// user may, and then as root may, as quic-go does.
func buffers(ask int) (receive, send int, err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, 0, err
	}
	defer unix.Close(fd)
	receive, err = buffer(fd, ask, unix.SO_RCVBUF, unix.SO_RCVBUFFORCE)
	send, err2 := buffer(fd, ask, unix.SO_SNDBUF, unix.SO_SNDBUFFORCE)
	return receive, send, cmp.Or(err, err2)
}

func buffer(fd, ask, option, forced int) (int, error) {
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, option, ask) // up to the machine's limit
	got, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, option)
	if err != nil || got >= ask {
		return got, err
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, forced, ask) // root's
	return unix.GetsockoptInt(fd, unix.SOL_SOCKET, option)
}
