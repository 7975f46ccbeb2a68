package astray

// The faults.
const (
	isStale   = "stale"   // the body of an earlier call of the same caller
	isOthers  = "other's" // the body of an earlier call of another caller
	isSwapped = "swapped" // the bodies of two replies, exchanged
	isDoubled = "doubled" // the body of the reply before on the connection, which comes twice
)

// callers is how many callers make the calls of a run.
const callers = 2

// every is after how many replies there is a fault, and doubles is how many replies of a
// connection are late by one after a reply that came twice.
const (
	every   = 10
	doubles = 3
)

// faults makes the faults in the replies of a run, in turns.
type faults struct {
	last    map[string][]byte // the last body of each caller
	replies []*reply          // since all callers call
	held    *reply            // waits for another reply, to be swapped; nil for none
}

// take is called with each reply to a call, in the order in which they come. There are faults
// once all callers call.
func (f *faults) take(r *reply) {
	if len(f.last) == callers {
		f.replies = append(f.replies, r)
		f.change(r)
	}
	f.last[r.caller()], r.conn.before = r.own, r.own
}

func (f *faults) change(r *reply) {
	n := len(f.replies)
	switch turn := n / every; {
	case f.held != nil:
		f.swap(r)
	case r.conn.late > 0:
		r.conn.late--
		r.replace(r.conn.before, isDoubled)
	case n%every != 0: // nor are the first ones of the callers, since a wrong one would end the run
	case turn%3 == 0:
		f.stale(r, []string{isStale, isOthers}[turn%2])
	case turn%3 == 1:
		f.held = r
	default:
		r.conn.late = doubles
	}
}

// stale hands out the last body of the same caller, or of another.
func (f *faults) stale(r *reply, fault string) {
	for caller, body := range f.last {
		if (caller == r.caller()) == (fault == isStale) {
			r.replace(body, fault)
		}
	}
}

// swap exchanges the bodies of the reply that was held and of this one.
func (f *faults) swap(r *reply) {
	held := f.held
	f.held = nil
	r.replace(held.own, isSwapped)
	held.replace(r.own, isSwapped)
}

// made returns how many of the last n replies had each fault.
func (f *faults) made(n int) map[string]int {
	made := map[string]int{}
	for _, r := range f.replies[max(len(f.replies)-n, 0):] {
		made[r.fault]++
	}
	delete(made, "")
	return made
}
