// Package relay passes datagrams of UDP on between clients and a server, changed, late or not
// at all.
package relay

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"sync"
)

// Relay passes datagrams on.
type Relay struct {
	near   *net.UDPConn // to which clients send
	server string
	pass   Pass

	mu       sync.Mutex
	far      map[netip.AddrPort]*net.UDPConn // by client, connected to the server
	recorded [][]byte                        // the first datagrams of clients
	closed   bool
}

// Pass is called with each datagram and says with which send it goes on; not at all if it calls
// none. It may keep the datagram.
type Pass func(datagram []byte, reply bool, send func([]byte))

// Straight passes each datagram on as it is.
func Straight(datagram []byte, _ bool, send func([]byte)) { send(datagram) }

// most is the bytes of the largest datagram, and kept how many of clients' first are recorded.
const (
	most = 64 << 10
	kept = 64
	room = 4 << 20 // bytes of a socket's buffer, so that none is lost unasked
)

// New starts a relay to a server on the loopback interface.
func New(server string, pass Pass) (*Relay, error) {
	near, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	_ = near.SetReadBuffer(room) // up to the machine's limit
	r := &Relay{near: near, server: server, pass: pass, far: map[netip.AddrPort]*net.UDPConn{}}
	go r.requests()
	return r, nil
}

// Addr returns host:port of the relay.
func (r *Relay) Addr() string { return r.near.LocalAddr().String() }

// Clients returns the ports of the clients so far.
func (r *Relay) Clients() (ports []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for client := range r.far {
		ports = append(ports, int(client.Port()))
	}
	return ports
}

// Recorded returns the first datagrams of clients.
func (r *Relay) Recorded() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recorded
}

// Close ends the relay.
func (r *Relay) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.near.Close()
	for _, far := range r.far {
		far.Close()
	}
	clear(r.far)
}

// requests passes on what clients send.
func (r *Relay) requests() {
	each(r.near.ReadFromUDPAddrPort, func(datagram []byte, client netip.AddrPort) {
		far := r.of(client)
		if far == nil {
			return
		}
		r.record(datagram)
		r.pass(datagram, false, func(b []byte) { far.Write(b) })
	})
}

// record keeps the first of them.
func (r *Relay) record(datagram []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.recorded) < kept {
		r.recorded = append(r.recorded, bytes.Clone(datagram))
	}
}

// replies passes on what the server sends to a client.
func (r *Relay) replies(far *net.UDPConn, client netip.AddrPort) {
	each(far.ReadFromUDPAddrPort, func(datagram []byte, _ netip.AddrPort) {
		r.pass(datagram, true, func(b []byte) { r.near.WriteToUDPAddrPort(b, client) })
	})
}

// each calls do with each datagram until the socket is closed. An error of one that was sent
// before, as where nobody listens, is not the end.
func each(read func([]byte) (int, netip.AddrPort, error), do func([]byte, netip.AddrPort)) {
	buf := make([]byte, most)
	for {
		n, from, err := read(buf)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err == nil:
			do(bytes.Clone(buf[:n]), from)
		}
	}
}

// of returns the socket of a client; nil after Close.
func (r *Relay) of(client netip.AddrPort) *net.UDPConn {
	r.mu.Lock()
	defer r.mu.Unlock()
	if far := r.far[client]; far != nil || r.closed {
		return far
	}
	c, err := net.Dial("udp", r.server)
	if err != nil {
		return nil
	}
	far := c.(*net.UDPConn)
	_ = far.SetReadBuffer(room)
	r.far[client] = far
	go r.replies(far, client)
	return far
}
