// Package address helps adapters with the addresses on which their servers listen.
//
// The suite gives an adapter either host:port of TCP, with port 0 for any free port, or the
// path of a Unix socket.
package address

import (
	"net"
	"strings"
)

// Network returns the network of an address of a server, as package net names it: "unix" for
// what begins with a slash, which is the path of a Unix socket, and "tcp" for anything else,
// which is host:port.
func Network(addr string) string {
	if strings.HasPrefix(addr, "/") {
		return "unix"
	}
	return "tcp"
}

// portTries is how often ServeOnFree chooses a port.
const portTries = 10

// ServeOnFree starts a server of a framework that does not report which port it got: serve
// is called with addr, and a free port in the place of its port. Another process may take that
// port first, so after an error serve is called again, ten times at most. The error is that of
// the last call, or says why addr has no free port.
func ServeOnFree[S any](addr string, serve func(addr string) (S, error)) (s S, err error) {
	for range portTries {
		var free string
		if free, err = freePort(addr); err != nil {
			break
		}
		if s, err = serve(free); err == nil {
			return s, nil
		}
	}
	return *new(S), err
}

// freePort replaces the port by one that nobody listens on.
func freePort(addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
