package astray

// The faults.
const (
	isStale   = "stale"   // the body of an earlier call of the same caller
	isOthers  = "other's" // that of an earlier call of another caller
	isSwapped = "swapped" // those of two replies, exchanged
	isDoubled = "doubled" // that of the reply before on the connection, which comes twice
)

// every is after how many replies there is a fault, and doubles is how many replies of a
// connection are late by one after a reply that came twice.
const (
	every   = 10
	doubles = 3
)

// mislead makes the faults in turns. It is called with each reply that counts, in the order in
// which they come.
func (p *proxy) mislead(r *reply) {
	n := len(p.replies)
	switch turn := n / every; {
	case p.held != nil:
		p.swap(r)
	case r.conn.late > 0:
		r.conn.late--
		r.hand(r.conn.before, isDoubled)
	case n%every != 0: // nor are the first ones of the callers, since a wrong one would end the run
	case turn%3 == 0:
		p.stale(r, []string{isStale, isOthers}[turn%2])
	case turn%3 == 1:
		p.hold(r)
	default:
		r.conn.late = doubles
	}
}

// stale hands out the last body of the same caller, or of another.
func (p *proxy) stale(r *reply, fault string) {
	for caller, body := range p.last {
		if (caller == r.caller()) == (fault == isStale) {
			r.hand(body, fault)
		}
	}
}

// swap exchanges the bodies of the reply that was held and of this one.
func (p *proxy) swap(r *reply) {
	held := p.held
	p.held = nil
	r.hand(held.own, isSwapped)
	held.hand(r.own, isSwapped)
}
