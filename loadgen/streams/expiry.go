package streams

import "time"

// expiry fails messages that were under way for longer than the timeout of a run.
//
// When a message was sent is known only to who has claimed it, and claims get in the
// way of receivers. expiry therefore notes how many messages were accepted at each of
// its looks, and claims those that were accepted a timeout ago.
type expiry struct {
	streams []stream
	run     *run
	every   time.Duration
	marks   [looks + 1][]uint64 // of each stream, at the last looks
	look    int
}

// looks is the number of times that a message is looked at before it has timed out.
const looks = 4

// minLook bounds what looking costs, a nanosecond a slot.
const minLook = 2 * time.Millisecond

func newExpiry(list []stream, r *run) *expiry {
	e := &expiry{streams: list, run: r, every: max(r.timeout/looks, minLook)}
	for i := range e.marks {
		e.marks[i] = make([]uint64, len(list))
	}
	return e
}

// work looks until the run has ended.
func (e *expiry) work() {
	<-e.run.Begun()
	tick := time.NewTicker(e.every)
	defer tick.Stop()
	for {
		select {
		case <-e.run.stop:
			return
		case <-tick.C:
			e.expire(e.marks[e.look%len(e.marks)], e.run.now())
			e.look++
		}
	}
}

// expire replaces the oldest marks, which say what was accepted a timeout ago.
func (e *expiry) expire(marks []uint64, now time.Duration) {
	for i := range e.streams {
		s := &e.streams[i]
		old := marks[i]
		marks[i] = s.tail()
		for slot := range s.ring.Load().all() {
			if word := slot.word.Load(); word&stateMask == underway && word>>stateBits < old {
				e.expireOne(slot, word>>stateBits, now)
			}
		}
	}
}

func (e *expiry) expireOne(slot *slot, seq uint64, now time.Duration) {
	if !slot.change(seq, underway, claimed) {
		return
	}
	if now-time.Duration(slot.sent) <= e.run.timeout { // it waited on its stream
		slot.set(seq, underway)
		return
	}
	e.run.timeOut(slot)
	slot.set(seq, failed)
}
