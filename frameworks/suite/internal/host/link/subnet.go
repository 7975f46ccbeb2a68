package link

import "net"

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
