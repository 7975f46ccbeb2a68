package fault

import (
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/relay"
)

// Corrupter is a proxy to a server. Once broken, it changes the bytes of answers.
type Corrupter struct {
	listener net.Listener
	relay    *relay.Relay // instead, of datagrams
	server   string
	change   func([]byte) (changes int)
	broken   atomic.Bool
	Made     atomic.Int64 // changes
	mu       sync.Mutex
	open     []net.Conn
	// Connections share buffers: a client that reads garbage connects thousands of times.
	buffers sync.Pool
}

// NewCorrupter starts a proxy to a server. Once Broken, it has change change the bytes of
// answers, which returns how many changes it made.
func NewCorrupter(server string, datagrams bool, change func([]byte) int) (g *Corrupter, err error) {
	g = &Corrupter{server: server, change: change}
	if datagrams {
		g.relay, err = relay.New(server, g.pass)
		return g, err
	}
	at := "127.0.0.1:0"
	if address.Network(server) == "unix" {
		at = server + "-corrupter"
	}
	if g.listener, err = net.Listen(address.Network(at), at); err != nil {
		return nil, err
	}
	g.buffers.New = func() any { return new([64 << 10]byte) }
	go g.accept()
	return g, nil
}

// Addr returns the address of the proxy.
func (g *Corrupter) Addr() string {
	if g.relay != nil {
		return g.relay.Addr()
	}
	return g.listener.Addr().String()
}

// pass passes a datagram on.
func (g *Corrupter) pass(datagram []byte, reply bool, send func([]byte)) {
	if reply {
		g.corrupt(datagram)
	}
	send(datagram)
}

func (g *Corrupter) accept() {
	for {
		client, err := g.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(address.Network(g.server), g.server)
		if err != nil {
			client.Close()
			continue
		}
		g.mu.Lock()
		g.open = append(g.open, client, server)
		g.mu.Unlock()
		go g.copy(server, client, func([]byte) {})
		go g.copy(client, server, g.corrupt)
	}
}

func (g *Corrupter) copy(to, from net.Conn, change func([]byte)) {
	defer to.Close()
	buf := g.buffers.Get().(*[64 << 10]byte)
	defer g.buffers.Put(buf)
	for {
		n, err := from.Read(buf[:])
		change(buf[:n])
		if _, err2 := to.Write(buf[:n]); errors.Join(err, err2) != nil {
			return
		}
	}
}

func (g *Corrupter) corrupt(b []byte) {
	if g.broken.Load() {
		g.Made.Add(int64(g.change(b)))
	}
}

// Mend has a round begin with a proxy that changes nothing.
func (g *Corrupter) Mend() {
	g.broken.Store(false)
	g.Made.Store(0)
}

// garble replaces an answer by random bytes.
func garble(b []byte) int {
	io.ReadFull(rand.Reader, b)
	return 1
}

// Close ends the proxy and its connections.
func (g *Corrupter) Close() {
	if g.relay != nil {
		g.relay.Close()
		return
	}
	g.listener.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.open {
		c.Close()
	}
}
