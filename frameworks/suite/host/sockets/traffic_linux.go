package sockets

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// OwnTraffic returns what this process's connections to the ports have carried, as the
// kernel counts it in TCP_INFO.
func OwnTraffic(ports Ports) (sum Traffic, err error) {
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return Traffic{}, err
	}
	sum.inodes = map[uint64]bool{}
	for _, entry := range fds {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || !ports[peerPort(fd)] {
			continue
		}
		info, err := infoOf(fd)
		if err != nil {
			return Traffic{}, err
		}
		if err := sum.add(fd, info); err != nil {
			return Traffic{}, err
		}
	}
	return sum, nil
}

func (t *Traffic) add(fd int, i *unix.TCPInfo) error {
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	t.inodes[stat.Ino] = true
	t.Sent += int64(i.Bytes_sent - i.Bytes_retrans)
	t.Received += int64(i.Bytes_received)
	t.Segments += int64(i.Data_segs_out) + int64(i.Data_segs_in)
	return nil
}

// peerPort is the port that fd is connected to; -1 if it is no such socket.
func peerPort(fd int) int {
	peer, err := unix.Getpeername(fd)
	if err != nil {
		return -1
	}
	switch a := peer.(type) {
	case *unix.SockaddrInet4:
		return a.Port
	case *unix.SockaddrInet6:
		return a.Port
	}
	return -1
}

// infoOf reads TCP_INFO. The kernel tells how much of the struct it knows: 4.19 was the
// first that counts the bytes that were sent again, which come last.
func infoOf(fd int) (*unix.TCPInfo, error) {
	info := new(unix.TCPInfo)
	size := uint32(unsafe.Sizeof(*info))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.IPPROTO_TCP, unix.TCP_INFO,
		uintptr(unsafe.Pointer(info)), uintptr(unsafe.Pointer(&size)), 0)
	switch {
	case errno != 0:
		return nil, fmt.Errorf("TCP_INFO: %w", errno)
	case uintptr(size) < unsafe.Offsetof(info.Bytes_retrans)+unsafe.Sizeof(info.Bytes_retrans):
		return nil, fmt.Errorf("this kernel does not count the bytes of a connection, Linux 4.19 does: %w", errors.ErrUnsupported)
	}
	return info, nil
}
