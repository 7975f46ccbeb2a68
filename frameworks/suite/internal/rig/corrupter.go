package rig

import (
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// corrupter is a proxy to a server. Once broken, it changes the bytes of answers.
type corrupter struct {
	net.Listener
	server string
	change func([]byte) (changes int)
	broken atomic.Bool
	made   atomic.Int64 // changes
	mu     sync.Mutex
	open   []net.Conn
	// Connections share buffers: a client that reads garbage connects thousands of times.
	buffers sync.Pool
}

func newCorrupter(server string, change func([]byte) int) (*corrupter, error) {
	at := "127.0.0.1:0"
	if framework.NetworkOf(server) == "unix" {
		at = server + "-corrupter"
	}
	l, err := net.Listen(framework.NetworkOf(at), at)
	if err != nil {
		return nil, err
	}
	g := &corrupter{Listener: l, server: server, change: change}
	g.buffers.New = func() any { return new([64 << 10]byte) }
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
		server, err := net.Dial(framework.NetworkOf(g.server), g.server)
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

func (g *corrupter) corrupt(b []byte) {
	if g.broken.Load() {
		g.made.Add(int64(g.change(b)))
	}
}

// mend has a round begin with a proxy that changes nothing.
func (g *corrupter) mend() {
	g.broken.Store(false)
	g.made.Store(0)
}

// garble replaces an answer by random bytes.
func garble(b []byte) int {
	io.ReadFull(rand.Reader, b)
	return 1
}

func (g *corrupter) close() {
	g.Listener.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.open {
		c.Close()
	}
}
