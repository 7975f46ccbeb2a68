package rig

import (
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// corrupter is a proxy to a server. Once broken, it answers with random bytes.
type corrupter struct {
	net.Listener
	server string
	broken atomic.Bool
	mu     sync.Mutex
	open   []net.Conn
}

func newCorrupter(server string) (*corrupter, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &corrupter{Listener: l, server: server}
	go g.accept()
	return g, nil
}

func (g *corrupter) addr() string { return g.Addr().String() }

func (g *corrupter) accept() {
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
		go g.copy(client, server, g.corrupt)
	}
}

func (g *corrupter) copy(to, from net.Conn, change func([]byte)) {
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

func (g *corrupter) corrupt(b []byte) {
	if g.broken.Load() {
		io.ReadFull(rand.Reader, b)
	}
}

func (g *corrupter) close() {
	g.Listener.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.open {
		c.Close()
	}
}
