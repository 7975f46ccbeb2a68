// Package link makes a network on one machine: a network namespace, joined to
// the one of this process by a pair of virtual Ethernet devices that delay or
// limit what they send. It needs Linux, root, and the commands ip and tc.
//
// Nothing has to be cleaned up. The namespace has no name: it lives as long as
// this process has it open or another one runs in it, and the devices go with
// it, however the processes end.
package link

import (
	"fmt"
	"net"
	"os"
	"time"
)

// Shape is what both ends of a link do to what they send. The zero value is a
// link without delay or limit; a link cannot have both.
type Shape struct {
	// Delay holds back every packet by so long at each end, by the kernel's
	// netem, so that a round trip takes twice as long; 0: not at all.
	Delay time.Duration
	// Rate is the most bits per second that each end sends, by the kernel's
	// tbf, with the headers of Ethernet, IP and TCP counted; 0: no limit.
	Rate int64
}

// Link is a namespace that is joined to that of this process. The near end is
// here, the far end there.
type Link struct {
	near, far net.IP
	device    string // of the near end
	namespace *os.File
}

// New makes a link. The error says what this machine lacks.
func New(s Shape) (*Link, error) {
	l, err := open(s)
	if err != nil {
		return nil, fmt.Errorf("no link with a network namespace: %w", err)
	}
	return l, nil
}

// FarIP is the address of the far end, at which processes of the namespace are
// reached from here.
func (l *Link) FarIP() string { return l.far.String() }

// Close lets go of the namespace. The kernel removes it and the devices when
// the last process in it has ended, a moment after that. Of nil it does nothing.
func (l *Link) Close() error {
	if l == nil {
		return nil
	}
	return l.namespace.Close()
}

// The devices' addresses are two of 198.18.0.0/15, which is set aside for
// benchmarks of networks, in a subnet of four.
const (
	subnets   = 1 << 15
	prefixLen = 30
)

// subnet is the n-th: its two addresses for devices.
func subnet(n int) (near, far net.IP) {
	host := 4 * (n % subnets)
	at := func(last int) net.IP { return net.IPv4(198, byte(18+host>>16), byte(host>>8), byte(host+last)) }
	return at(1), at(2)
}

// freeSubnet is the first from the n-th on of which no device of this namespace
// has an address.
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
