package sockets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// diagnosed returns the sockets of a protocol in this process's network, by sock_diag(7). It skips those
// in TIME_WAIT, which the kernel's tables list: a busy machine has tens of thousands. The
// kernel answers for no other network.
func diagnosed(pid int, p protocol) (all []socket, err error) {
	if !sameNetwork(pid) {
		return nil, fmt.Errorf("process %d has another network: %w", pid, errors.ErrUnsupported)
	}
	take := func(kind uint16, data []byte) error {
		if kind != unix.SOCK_DIAG_BY_FAMILY || len(data) < diagAnswered {
			return fmt.Errorf("sock_diag: a message of type %d: %w", kind, errors.ErrUnsupported)
		}
		all = append(all, diagSocket(data))
		return nil
	}
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		if err := diagnose(diagRequest(family, p), take); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// diagnose asks the kernel, and has each message of its answer taken.
func diagnose(request []byte, take func(kind uint16, data []byte) error) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 5}); err != nil {
		return err
	}
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	return diagAnswer(fd, take)
}

func sameNetwork(pid int) bool {
	own, err := os.Readlink("/proc/self/ns/net")
	its, err2 := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid))
	return errors.Join(err, err2) == nil && own == its
}

const (
	diagHeader   = 16 // struct nlmsghdr
	diagSize     = 56 // struct inet_diag_req_v2
	diagAnswered = 72 // struct inet_diag_msg
	// diagStates are the states in which a process can have a socket open.
	diagStates = 1<<12 - 1 - 1<<unix.BPF_TCP_TIME_WAIT - 1<<unix.BPF_TCP_SYN_RECV
)

// diagRequest asks for all sockets of a family and a protocol.
func diagRequest(family byte, p protocol) []byte {
	b := make([]byte, diagHeader+diagSize)
	binary.NativeEndian.PutUint32(b, uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b[diagHeader], b[diagHeader+1] = family, byte(p)
	binary.NativeEndian.PutUint32(b[diagHeader+4:], diagStates)
	return b
}

// diagAnswer takes the messages of an answer, of which there are many.
func diagAnswer(fd int, take func(kind uint16, data []byte) error) error {
	buf := make([]byte, 1<<16)
	for {
		n, _, err := unix.Recvfrom(fd, buf, 0)
		if err != nil {
			return err
		}
		messages, err := syscall.ParseNetlinkMessage(buf[:n])
		if err != nil {
			return err
		}
		for _, m := range messages {
			if m.Header.Type == unix.NLMSG_DONE {
				return nil
			}
			if err := take(m.Header.Type, m.Data); err != nil {
				return err
			}
		}
	}
}

// diagSocket reads a struct inet_diag_msg.
func diagSocket(b []byte) socket {
	return socket{
		local: int(binary.BigEndian.Uint16(b[4:])), remote: int(binary.BigEndian.Uint16(b[6:])),
		state: fmt.Sprintf("%02X", b[1]),
		inode: numbered(b[68:]),
	}
}
