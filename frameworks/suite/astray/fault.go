package astray

// every is after how many replies one goes astray, and doubles is how many replies of a
// connection are late by one then.
const (
	every   = 10
	doubles = 3
)

// fault hands the body of another reply to a reply. It is called for each reply that counts,
// in the order in which they came.
type fault func(p *proxy, r *reply)

func faults() map[string]fault {
	return map[string]fault{"stale": stale, "swapped": swapped, "doubled": doubled}
}

// stale hands out the body of an earlier reply, in turns of the same caller and of another.
func stale(p *proxy, r *reply) {
	if !p.due() {
		return
	}
	same := len(p.replies)/every%2 == 0
	for caller, body := range p.last {
		if (caller == r.caller()) == same {
			r.hand(body)
		}
	}
}

// swapped holds a reply, and what comes behind it on its connection, until the next one, with
// which it exchanges the body.
func swapped(p *proxy, r *reply) {
	held := p.held
	switch {
	case held != nil:
		p.held = nil
		r.hand(held.own)
		held.hand(r.own)
	case p.due():
		p.hold(r)
	}
}

// doubled hands out a body twice: to its reply, and to the next one of the connection, which
// makes the next ones late by one.
func doubled(p *proxy, r *reply) {
	if c := r.conn; c.late > 0 {
		c.late--
		r.hand(c.before)
	} else if p.due() {
		c.late = doubles
	}
	r.conn.before = r.own
}
