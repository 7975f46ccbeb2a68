// Package link makes a network on one machine: a network namespace that is joined to
// this process's own by a pair of virtual Ethernet devices, which delay or limit what
// they send. It needs Linux, root, and the commands ip and tc.
//
// Nothing has to be cleaned up. The namespace has no name. The kernel removes it and
// its devices when this process has closed it and no process runs in it any more,
// however they end.
package link

import (
	"fmt"
	"net"
	"os"
	"time"
)

// Shape is how both ends of a link delay or limit what they send. The zero value does
// neither; a link cannot have both.
type Shape struct {
	// Delay is how long each end holds back every packet (the kernel's netem). A
	// round trip takes twice the delay. 0 stands for no delay.
	Delay time.Duration
	// Rate is the most bits per second that each end sends (the kernel's tbf),
	// including the headers of Ethernet, IP and TCP. 0 stands for no limit.
	Rate int64
}

// Link joins this process's namespace, the near end, to a new one, the far end.
type Link struct {
	near, far net.IP
	device    string // the near end's
	namespace *os.File
}

// New makes a link. The error says what this machine lacks for it.
func New(s Shape) (*Link, error) {
	l, err := open(s)
	if err != nil {
		return nil, fmt.Errorf("no link with a network namespace: %w", err)
	}
	return l, nil
}

// FarIP returns the address of the far end, at which this process reaches processes
// of the namespace.
func (l *Link) FarIP() string { return l.far.String() }

// Close closes the namespace. The kernel removes it and the devices a moment after
// the last process in it has ended. Close of a nil Link does nothing.
func (l *Link) Close() error {
	if l == nil {
		return nil
	}
	return l.namespace.Close()
}

// The devices have two addresses in a subnet of four, in the range 198.18.0.0/15,
// which is reserved for benchmarks of networks (RFC 2544).
const (
	subnets   = 1 << 15
	prefixLen = 30
)

// subnet returns the two device addresses of the n-th subnet.
func subnet(n int) (near, far net.IP) {
	host := 4 * (n % subnets)
	at := func(last int) net.IP { return net.IPv4(198, byte(18+host>>16), byte(host>>8), byte(host+last)) }
	return at(1), at(2)
}

// freeSubnet returns the first subnet, from the n-th on, in which no device of this
// namespace has an address.
func freeSubnet(n int) (near, far net.IP, err error) {
	taken, err := net.InterfaceAddrs()
	if err != nil {
		return nil, nil, err
	}
	for range len(taken) + 1 {
		if near, far = subnet(n); !within(taken, near) {
			break
		}
		n++
	}
	return near, far, nil
}

// within reports whether one of the addresses is in the subnet of ip.
func within(addrs []net.Addr, ip net.IP) bool {
	own := net.IPNet{IP: ip, Mask: net.CIDRMask(prefixLen, 32)}
	for _, a := range addrs {
		if a, ok := a.(*net.IPNet); ok && own.IP.Mask(own.Mask).Equal(a.IP.Mask(own.Mask)) {
			return true
		}
	}
	return false
}
