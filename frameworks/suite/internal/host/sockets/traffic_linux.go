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
func OwnTraffic(ports Ports) (Traffic, error) {
	sum := Traffic{inodes: map[uint64]bool{}}
	if err := each(ports, sum.add); err != nil {
		return Traffic{}, err
	}
	return sum, nil
}

// OwnWindows returns the windows of that connection of this process to the ports which has
// carried most, as the kernel tells them in TCP_INFO: that of the other side since Linux 5.4,
// and of this side since 6.2.
func OwnWindows(ports Ports) (w Windows, err error) {
	err = each(ports, func(_ int, i *unix.TCPInfo) error {
		w = w.most(Windows{int64(i.Rcv_wnd), int64(i.Snd_wnd), int64(i.Bytes_received), int64(i.Bytes_sent)})
		return nil
	})
	return w, err
}

// each calls do with this process's connections to the ports.
func each(ports Ports, do func(fd int, info *unix.TCPInfo) error) error {
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, entry := range fds {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || !ports[peerPort(fd)] {
			continue
		}
		info, err := infoOf(fd)
		if err == nil {
			err = do(fd, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
