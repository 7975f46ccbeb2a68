// Package sockets tells which TCP connections of a process lead to a port, and what
// they have carried. It looks from outside: no framework knows that it is measured.
package sockets

import (
	"errors"
	"fmt"
	"maps"
	"net"
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

// Split tells the paths of Unix sockets from addresses of TCP, of which it returns the ports.
func Split(addrs ...string) (ports Ports, paths []string, err error) {
	var others []string
	for _, addr := range addrs {
		if strings.HasPrefix(addr, "/") {
			paths = append(paths, addr)
		} else {
			others = append(others, addr)
		}
	}
	ports, err = PortsOf(others...)
	return ports, paths, err
}

// Inodes returns the numbers of the sockets in a process's network whose own port or
// whose peer's is one of these, and of those at both ends of connections to the paths.
func Inodes(pid int, ports Ports, paths ...string) (map[string]bool, error) {
	found := map[string]bool{}
	if len(paths) > 0 {
		var err error
		if found, err = pathInodes(pid, paths); err != nil || len(ports) == 0 {
			return found, err
		}
	}
	all, err := sockets(pid)
	for _, s := range all {
		if ports[s.local] || ports[s.remote] {
			found[s.inode] = true
		}
	}
	return found, err
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
