package sockets

import (
	"errors"
	"fmt"
	"strings"
)

// listening is TCP_LISTEN as the kernel's tables write it.
const listening = "0A"

// Accepted counts the established connections that a process has accepted at addr:
// host:port. Those from itself do not count, such as a service's to its broker. The error
// says why they are not known: of a Unix socket, or of a process that does not listen
// there.
func Accepted(addr string, pid int) (int, error) {
	if strings.HasPrefix(addr, "/") {
		return 0, fmt.Errorf("a Unix socket: %w", errors.ErrUnsupported)
	}
	ports, err := PortsOf(addr)
	if err != nil {
		return 0, err
	}
	own, err := inodes(pid)
	if err != nil {
		return 0, err
	}
	all, err := sockets(pid)
	if err != nil {
		return 0, err
	}
	return accepted(all, ports, own)
}

// accepted is Accepted of own sockets. It deletes each that it counts from own, because a
// socket may be listed twice.
func accepted(all []socket, ports Ports, own map[string]bool) (n int, err error) {
	listens := false
	for _, s := range all {
		if !own[s.inode] {
			continue
		}
		switch {
		case s.state == listening && ports[s.local]:
			listens = true
		case s.state == established && ports[s.local]:
			delete(own, s.inode)
			n++
		case s.state == established && ports[s.remote]:
			delete(own, s.inode)
			n--
		}
	}
	if !listens {
		return 0, errors.New("the process does not listen there")
	}
	return n, nil
}
