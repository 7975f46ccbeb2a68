package sockets

import (
	"cmp"
	"maps"
	"net"
	"os"
	"slices"
)

// Open counts the connections of some processes to addresses of servers. With datagrams they
// are the UDP sockets with which a process may send to any address, of which clients of QUIC
// have one for each connection: the kernel knows no peer of them, so all of them count but
// those at which a server listens.
func Open(datagrams bool, addrs []string, pids ...int) (sum int, err error) {
	if datagrams {
		ports, err := UDP(pids...)
		servers, badAddr := PortsOf(addrs...)
		return len(slices.DeleteFunc(ports, func(port int) bool { return servers[port] })), cmp.Or(err, badAddr)
	}
	for _, addr := range onePerPort(addrs) {
		n, err := Connections(addr, pids...)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// onePerPort leaves out addresses with the port of another: connections are counted by ports, and
// the servers of several machines may have the same.
func onePerPort(addrs []string) (list []string) {
	seen := map[string]bool{}
	for _, addr := range addrs {
		_, port, err := net.SplitHostPort(addr)
		if err == nil && seen[port] {
			continue
		}
		seen[port] = true
		list = append(list, addr)
	}
	return list
}

// unconnected is the state of a UDP socket without a peer as the kernel's tables write it.
const unconnected = "07"

// UDP returns the ports of the UDP sockets without a peer that some processes have open.
func UDP(pids ...int) (ports []int, err error) {
	own := map[string]bool{}
	for _, pid := range pids {
		more, err := inodes(pid)
		if err != nil {
			return nil, err
		}
		maps.Copy(own, more)
	}
	all, err := listed(os.Getpid(), udp)
	for _, s := range all {
		if own[s.inode] && s.state == unconnected {
			delete(own, s.inode) // a socket may be listed twice
			ports = append(ports, s.local)
		}
	}
	return ports, err
}

// UDPInodes returns the numbers of the UDP sockets without a peer in a process's network.
func UDPInodes(pid int) (map[string]bool, error) {
	all, err := listed(pid, udp)
	found := map[string]bool{}
	for _, s := range all {
		if s.state == unconnected {
			found[s.inode] = true
		}
	}
	return found, err
}
