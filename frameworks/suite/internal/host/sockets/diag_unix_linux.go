package sockets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// pathInodes returns the numbers of the sockets at these paths, and of the other ends of
// their connections, by sock_diag(7): the kernel's table does not tell which ends belong
// together. The kernel answers for this process's network alone.
func pathInodes(pid int, paths []string) (map[string]bool, error) {
	if !sameNetwork(pid) {
		return nil, fmt.Errorf("process %d has another network: %w", pid, errors.ErrUnsupported)
	}
	found := map[string]bool{}
	err := diagnose(unixRequest(), func(kind uint16, data []byte) error {
		if kind != unix.SOCK_DIAG_BY_FAMILY || len(data) < unixAnswered {
			return fmt.Errorf("sock_diag of Unix sockets: a message of type %d: %w", kind, errors.ErrUnsupported)
		}
		if name, peer := unixSocket(data[unixAnswered:]); slices.Contains(paths, name) {
			found[numbered(data[4:])] = true
			if peer != "" {
				found[peer] = true
			}
		}
		return nil
	})
	return found, err
}

const (
	unixSize     = 24 // struct unix_diag_req
	unixAnswered = 16 // struct unix_diag_msg, before its attributes
	showName     = 1  // UDIAG_SHOW_NAME
	showPeer     = 4  // UDIAG_SHOW_PEER
	nameOf       = 0  // UNIX_DIAG_NAME
	peerOf       = 2  // UNIX_DIAG_PEER
)

// unixRequest asks for all Unix sockets, with their names and their other ends.
func unixRequest() []byte {
	b := make([]byte, diagHeader+unixSize)
	binary.NativeEndian.PutUint32(b, uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b[diagHeader] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(b[diagHeader+4:], diagStates)
	binary.NativeEndian.PutUint32(b[diagHeader+12:], showName|showPeer)
	return b
}

// unixSocket reads attributes: each has its length, its type, and is filled up to 4 bytes.
func unixSocket(b []byte) (name, peer string) {
	for len(b) >= 4 {
		size := int(binary.NativeEndian.Uint16(b))
		if size < 4 || size > len(b) {
			break
		}
		switch value := b[4:size]; {
		case binary.NativeEndian.Uint16(b[2:]) == nameOf:
			name = string(bytes.TrimRight(value, "\x00"))
		case binary.NativeEndian.Uint16(b[2:]) == peerOf && len(value) >= 4:
			peer = numbered(value)
		}
		b = b[min((size+3)&^3, len(b)):]
	}
	return name, peer
}

// numbered writes the number of a socket as /proc does.
func numbered(b []byte) string {
	return strconv.FormatUint(uint64(binary.NativeEndian.Uint32(b)), 10)
}
