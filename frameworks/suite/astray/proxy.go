package astray

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"net"
	"sync"
	"time"
)

// payload is how many bytes a call sends. Smaller bodies are of the greeting, or of the protocol.
const payload = 1 << 10

// patience is how long a reply is held if no other comes.
const patience = 100 * time.Millisecond

// proxy cuts replies into frames, and has some go astray.
type proxy struct {
	Framed
	addr   string // the proxy's own
	server string

	mu      sync.Mutex
	last    map[string][]byte // the last body for each caller
	replies []*reply          // those since all callers call
	held    *reply            // nil for none
}

// reply is a frame. The body is its end.
type reply struct {
	frame, own []byte // own is what the body was
	body       int    // where it begins
	conn       *conn
	fault      string // "" for none
}

// conn is the client's connection, and what is not sent yet.
type conn struct {
	net.Conn
	queue  []*reply
	before []byte // the body of the last reply
	late   int    // how many replies get the body before theirs
}

// caller tells callers apart, by bytes from the middle of a payload: each caller has others, and
// the same in all calls. Before it is the number of a call, and behind it may be anything.
// The fields of a map come in any order, but then the payload comes behind its length.
func (r *reply) caller() string {
	length := binary.BigEndian.AppendUint32(nil, payload)
	at := max(bytes.Index(r.own[:payload/4], length), 0)
	return string(r.own[at+payload/2:][:payload/4])
}

// hand replaces the body if the other is as long and differs.
func (r *reply) hand(body []byte, fault string) {
	if len(body) == len(r.own) && !bytes.Equal(body, r.own) {
		copy(r.frame[r.body:], body)
		r.fault = fault
	}
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
	faults := map[string]int{}
	for _, r := range p.replies[max(len(p.replies)-n, 0):] {
		faults[r.fault]++
	}
	delete(faults, "")
	return faults
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
		frame, body, err := p.Framing(r)
		if err != nil {
			return
		}
		p.pass(&reply{frame: frame, own: bytes.Clone(frame[body:]), body: body, conn: client})
	}
}

// pass sends a reply, or keeps it behind one that is held.
func (p *proxy) pass(r *reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.conn.queue = append(r.conn.queue, r)
	held := p.held
	if len(r.own) >= payload {
		p.count(r)
	}
	if held != nil {
		p.flush(held.conn)
	}
	p.flush(r.conn)
}

// count has faults once all callers call.
func (p *proxy) count(r *reply) {
	if len(p.last) == callers {
		p.replies = append(p.replies, r)
		p.mislead(r)
	}
	p.last[r.caller()], r.conn.before = r.own, r.own
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

// hold keeps a reply until the next one, with which it is swapped, but no longer than for a
// moment: there may be no other caller.
func (p *proxy) hold(r *reply) {
	p.held = r
	time.AfterFunc(patience, func() { p.release(r.conn) })
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
