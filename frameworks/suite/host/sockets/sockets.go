// Package sockets tells which TCP connections of a process lead to a port, and what
// they have carried. It looks from outside: no framework knows that it is measured.
package sockets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"strconv"
	"strings"
)

// Ports are TCP ports of servers.
type Ports map[int]bool

// PortsOf returns the ports of addresses like 127.0.0.1:80.
func PortsOf(addrs ...string) (Ports, error) {
	ports := Ports{}
	for _, addr := range addrs {
		_, text, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		port, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("the port of %q: %w", addr, err)
		}
		ports[port] = true
	}
	return ports, nil
}

// Inodes returns the numbers of the sockets in a process's network whose own port or
// whose peer's is one of these.
func Inodes(pid int, ports Ports) (map[string]bool, error) {
	inodes, read := map[string]bool{}, false
	for _, name := range []string{"tcp", "tcp6"} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", pid, name))
		if err != nil {
			continue // a system without IPv6 has no tcp6
		}
		read = true
		add(inodes, f, ports)
		f.Close()
	}
	if !read {
		return nil, errors.ErrUnsupported
	}
	return inodes, nil
}

// add reads lines "sl local remote state queues timer retransmits uid timeout inode …".
func add(inodes map[string]bool, table io.Reader, ports Ports) {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) > 9 && (ports[port(f[1])] || ports[port(f[2])]) {
			inodes[f[9]] = true
		}
	}
}

// port reads that of an address like 0100007F:1F90; -1 of anything else.
func port(addr string) int {
	_, text, _ := strings.Cut(addr, ":")
	n, err := strconv.ParseInt(text, 16, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// Inode returns the number of the socket that a process has open as fd; "" if that is
// no socket.
func Inode(pid, fd int) string {
	target, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, fd)) // fails if it was closed meanwhile
	number, ok := strings.CutPrefix(target, "socket:[")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(number, "]")
}

// Traffic is what connections have carried.
type Traffic struct {
	Sent, Received int64 // bytes of TCP payload, without what was sent again
	Segments       int64 // with payload, both ways

	inodes map[uint64]bool // of the connections
}

// Since returns the traffic since before. The error says that connections were opened
// or closed meanwhile, whose traffic is not known.
func (t Traffic) Since(before Traffic) (Traffic, error) {
	switch {
	case len(t.inodes) == 0:
		return Traffic{}, errors.New("no connection stays open")
	case !maps.Equal(t.inodes, before.inodes):
		return Traffic{}, errors.New("connections were opened or closed meanwhile")
	}
	return Traffic{
		Sent: t.Sent - before.Sent, Received: t.Received - before.Received,
		Segments: t.Segments - before.Segments, inodes: t.inodes,
	}, nil
}
