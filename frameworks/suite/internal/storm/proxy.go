// Package storm makes trouble for tests: connections that send garbage to a server, a
// proxy that breaks what it passes on, and a shortage of descriptors.
package storm

import (
	"io"
	"net"
	"sync"
	"time"
)

// most is how many bytes of a connection are recorded.
const most = 64 << 10

// Proxy passes on the bytes between clients and a server. It records what clients send
// first, and makes a fault.
type Proxy struct {
	dice
	server string

	mu       sync.Mutex
	listener net.Listener
	addr     string
	open     map[net.Conn]bool
	recorded []byte // the first bytes of the connection that sent most
	closed   bool
}

// Fault is a way in which a proxy breaks what it passes on.
type Fault struct {
	Name string
	// Harmless says that every call succeeds: the bytes arrive, but late or in pieces.
	Harmless bool
	// Wrong says that some call must fail: other bytes arrive than were sent.
	Wrong bool
	// After is how many chunks a proxy passes on before a rare fault may happen.
	After int

	oneWay bool // it happens to requests or to replies, which the seed decides; else to both
	rare   bool // it happens to one chunk in rarity, on average; else to each
	once   bool // it happens no more than once
	change func(w *way, b []byte) error
	// datagram is change of a datagram.
	datagram func(d *dice, b []byte, send func([]byte))
}

// Every reports whether the fault happens to all that is passed on.
func (f Fault) Every() bool { return !f.rare }

// NewProxy starts a proxy to a server on the loopback interface. The zero Fault passes
// everything on.
func NewProxy(server string, f Fault, seed uint64) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		server: server, dice: newDice(f, seed),
		listener: l, addr: l.Addr().String(), open: map[net.Conn]bool{},
	}
	go p.accept(l)
	return p, nil
}

// Addr returns host:port of the proxy.
func (p *Proxy) Addr() string { return p.addr }

// Recorded returns the first bytes of the connection on which a client sent most.
func (p *Proxy) Recorded() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recorded
}

// Close stops the proxy and drops its connections.
func (p *Proxy) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.drop()
}

// drop closes the listener and all connections. The caller holds mu.
func (p *Proxy) drop() {
	p.listener.Close()
	for c := range p.open {
		c.Close()
	}
	clear(p.open)
}

func (p *Proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil {
			client.Close()
			continue
		}
		near, far := client.(*net.TCPConn), server.(*net.TCPConn)
		p.keep(near, far)
		go p.pass(&way{Proxy: p, from: near, to: far})
		go p.pass(&way{Proxy: p, from: far, to: near, reply: true})
	}
}

// keep remembers connections, to close them.
func (p *Proxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = true
		if p.closed {
			c.Close()
		}
	}
}

// refuse closes everything, and listens again after a time.
func (p *Proxy) refuse(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
	time.AfterFunc(d, p.again)
}

// again listens at the same address. If that is taken by now, connections stay refused.
func (p *Proxy) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, err := net.Listen("tcp", p.addr)
	if err != nil {
		return
	}
	p.listener = l
	if p.closed {
		l.Close()
	}
	go p.accept(l)
}

// way is one direction of a connection.
type way struct {
	*Proxy
	from, to *net.TCPConn
	reply    bool
	sent     []byte // the first bytes
}

// pass passes on one direction until its end.
func (p *Proxy) pass(w *way) {
	defer w.from.Close()
	defer w.to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := w.from.Read(buf)
		if n > 0 {
			w.record(buf[:n])
			if w.write(buf[:n]) != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// record keeps what a client sends first.
func (w *way) record(b []byte) {
	if w.reply || len(w.sent) >= most {
		return
	}
	w.sent = append(w.sent, b...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.sent) > len(w.recorded) {
		w.recorded = w.sent[:len(w.sent):len(w.sent)]
	}
}

// write writes a chunk, in the fault's way if that happens to it.
func (w *way) write(b []byte) error {
	if w.happens(w.reply) {
		return w.fault.change(w, b)
	}
	return w.send(b)
}

func (w *way) send(b []byte) error {
	_, err := w.to.Write(b)
	return err
}

// discard reads what comes, until its end.
func (w *way) discard() error {
	_, err := io.Copy(io.Discard, w.from)
	return err
}
