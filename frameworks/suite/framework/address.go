package framework

import "strings"

// NetworkOf returns the network of an address of a server, as package net names it. A path
// is the address of a Unix socket, and anything else is host:port of TCP.
func NetworkOf(addr string) string {
	if strings.HasPrefix(addr, "/") {
		return "unix"
	}
	return "tcp"
}
