package astray

import (
	"bufio"
	"bytes"
	"net"
	"sync"
	"time"
)

// patience is how long a reply is held if no other comes.
const patience = 100 * time.Millisecond

// proxy cuts the replies of a server into frames, and makes faults in them.
type proxy struct {
	server  string
	framing Framing

	mu sync.Mutex
	faults
}

// begin forgets what was before a run.
func (p *proxy) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.replies = map[string][]byte{}, nil
}

// astray returns how many of the last n replies had each fault.
func (p *proxy) astray(n int) map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made(n)
}

func (p *proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		go p.serve(&conn{Conn: client})
	}
}

func (p *proxy) serve(client *conn) {
	defer client.Close()
	defer p.release(client)
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	go func() {
		bufio.NewReader(client).WriteTo(server)
		server.Close()
	}()
	for r := bufio.NewReader(server); ; {
		frame, body, err := p.framing(r)
		if err != nil {
			return
		}
		p.pass(&reply{frame: frame, own: bytes.Clone(frame[body:]), body: body, conn: client})
	}
}

// pass sends a reply, or keeps it behind one that is held. A reply is held until the next
// one comes, but no longer than patience: there may be no other caller.
func (p *proxy) pass(r *reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.conn.queue = append(r.conn.queue, r)
	held := p.held
	if len(r.own) >= payload {
		p.take(r)
	}
	if p.held == r {
		time.AfterFunc(patience, func() { p.release(r.conn) })
	}
	if held != nil {
		p.flush(held.conn)
	}
	p.flush(r.conn)
}

// flush sends what has come on a connection, unless its reply is held.
func (p *proxy) flush(c *conn) {
	if p.held != nil && p.held.conn == c {
		return
	}
	for _, r := range c.queue {
		c.Write(r.frame) // fails if the client has gone, as its reading will
	}
	c.queue = nil
}

// release sends what is held of a connection.
func (p *proxy) release(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held != nil && p.held.conn == c {
		p.held = nil
	}
	p.flush(c)
}
