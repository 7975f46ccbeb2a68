package framework

import (
	"net"
	"strings"
)

// NetworkOf returns the network of an address of a server, as package net names it. A path
// is the address of a Unix socket, and anything else is host:port of TCP.
func NetworkOf(addr string) string {
	if strings.HasPrefix(addr, "/") {
		return "unix"
	}
	return "tcp"
}

// portTries is how often ServeOnFree chooses a port.
const portTries = 10

// ServeOnFree starts a server of a framework that does not report which port it got: serve
// is called with addr, and a free port in the place of 0. Another process may take that port
// first, so that serve may be called again after an error.
func ServeOnFree(addr string, serve func(addr string) (Server, error)) (s Server, err error) {
	for range portTries {
		var free string
		if free, err = freePort(addr); err != nil {
			break
		}
		if s, err = serve(free); err == nil {
			return s, nil
		}
	}
	return nil, err
}

// freePort replaces port 0 by a free port.
func freePort(addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
