package suite

import (
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/loadgen"
)

// The values of -fault.
const (
	faultKill    = "kill"
	faultFreeze  = "freeze"
	faultGarbage = "garbage"
)

var faults = []string{faultKill, faultFreeze, faultGarbage}

// faultAfter is how many calls of a round succeed before the fault happens.
const faultAfter = 1000

// breakDuring breaks the first server during the run of cfg, and returns what
// waits until that is done.
func (t *bed) breakDuring(cfg *loadgen.Config) (wait func()) {
	var breaking sync.WaitGroup
	var calls atomic.Int64
	cfg.Check = func(int) error {
		if calls.Add(1) == faultAfter {
			breaking.Go(t.breakServer)
		}
		return nil
	}
	return breaking.Wait
}

func (t *bed) breakServer() {
	switch env.fault {
	case faultKill:
		t.servers[0].Kill()
	case faultFreeze:
		t.servers[0].Pause()
	case faultGarbage:
		t.garbler.broken.Store(true)
	}
}

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
