package sockets

import (
	"maps"
	"os"
	"strings"
)

// established is TCP_ESTABLISHED as the kernel's tables write it.
const established = "01"

// Connections counts the established connections of some processes to addr: host:port, or
// the path of a Unix socket. Of a Unix socket those of all processes count, since the
// kernel's table names the server's ends alone.
func Connections(addr string, pids ...int) (n int, err error) {
	if strings.HasPrefix(addr, "/") {
		return toPath(addr)
	}
	ports, err := PortsOf(addr)
	if err != nil {
		return 0, err
	}
	own := map[string]bool{}
	for _, pid := range pids {
		more, err := inodes(pid)
		if err != nil {
			return 0, err
		}
		maps.Copy(own, more)
	}
	all, err := sockets(os.Getpid())
	return count(all, ports, own), err
}

// count counts the established ones of own sockets that lead to the ports. It deletes each
// that it counts from own, because a socket may be listed twice.
func count(all []socket, ports Ports, own map[string]bool) (n int) {
	for _, s := range all {
		if s.state == established && ports[s.remote] && own[s.inode] {
			delete(own, s.inode)
			n++
		}
	}
	return n
}
