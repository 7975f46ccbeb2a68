package remote

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Ports are those at which servers may listen, so that a firewall can let them through: from First
// to Last. The zero value leaves them to the system.
type Ports struct{ First, Last int }

// ReadPorts reads a range as in 7001-7064; "" for any port.
func ReadPorts(text string) (p Ports, err error) {
	if text == "" {
		return p, nil
	}
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	if isPort(first) && isPort(last) {
		p.First, _ = strconv.Atoi(first)
		p.Last, _ = strconv.Atoi(last)
	}
	if p.First == 0 || p.Last < p.First {
		return Ports{}, fmt.Errorf("%q is no range of ports from 1 to 65535, as in 7001-7064", text)
	}
	return p, nil
}

// String is what ReadPorts reads.
func (p Ports) String() string {
	if p == (Ports{}) {
		return ""
	}
	return fmt.Sprintf("%d-%d", p.First, p.Last)
}

// room is how many servers there may be, of a number.
func (p Ports) room(most int) int {
	if p == (Ports{}) {
		return most
	}
	return min(most, p.Last-p.First+1)
}

// Check returns an error that names a port that cannot be listened at, at the IP address of a
// listener.
func (p Ports) Check(l net.Listener) error {
	ip, _, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	for port := p.First; p.First > 0 && port <= p.Last; port++ {
		if err := listenable(ip, port); err != nil {
			return fmt.Errorf("port %d is in use: %w: give a range that nobody else uses", port, err)
		}
	}
	return nil
}

// listenable returns an error if a port is in use, of TCP or of UDP.
func listenable(ip string, port int) error {
	at := net.JoinHostPort(ip, strconv.Itoa(port))
	l, err := net.Listen("tcp", at)
	if err != nil {
		return err
	}
	defer l.Close()
	c, err := net.ListenPacket("udp", at)
	if err != nil {
		return err
	}
	return c.Close()
}

// choice takes ports by turns: one that was just given back may have connections that wait for
// their end.
type choice struct {
	Ports
	next  int // offset of the next one
	taken map[int]bool
}

// take returns a port at which nobody listens; 0 for any.
func (c *choice) take(ip string) (int, error) {
	if c.Ports == (Ports{}) {
		return 0, nil
	}
	var failed error
	count := c.Last - c.First + 1
	for range count {
		port := c.First + c.next
		c.next = (c.next + 1) % count
		if c.taken[port] {
			continue
		}
		if failed = listenable(ip, port); failed == nil {
			if c.taken == nil {
				c.taken = map[int]bool{}
			}
			c.taken[port] = true
			return port, nil
		}
	}
	if failed != nil {
		return 0, fmt.Errorf("none of the ports %v is free: %w", c.Ports, failed)
	}
	return 0, fmt.Errorf("all ports %v have servers: give -serve a larger range (-ports)", c.Ports)
}

func (c *choice) give(port int) { delete(c.taken, port) }
