package rig

import (
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// garbler is a proxy to a server that, once broken, answers with random bytes.
type garbler struct {
	net.Listener
	server string
	broken atomic.Bool
	mu     sync.Mutex
	open   []net.Conn
}

func newGarbler(server string) (*garbler, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &garbler{Listener: l, server: server}
	go g.accept()
	return g, nil
}

func (g *garbler) addr() string { return g.Addr().String() }

func (g *garbler) accept() {
	for {
		client, err := g.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", g.server)
		if err != nil {
			client.Close()
			continue
		}
		g.mu.Lock()
		g.open = append(g.open, client, server)
		g.mu.Unlock()
		go g.copy(server, client, func([]byte) {})
		go g.copy(client, server, g.garble)
	}
}

func (g *garbler) copy(to, from net.Conn, change func([]byte)) {
	defer to.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		change(buf[:n])
		if _, err2 := to.Write(buf[:n]); errors.Join(err, err2) != nil {
			return
		}
	}
}

func (g *garbler) garble(b []byte) {
	if g.broken.Load() {
		io.ReadFull(rand.Reader, b)
	}
}

func (g *garbler) close() {
	g.Listener.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.open {
		c.Close()
	}
}
