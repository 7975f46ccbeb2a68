package loadgen

import "time"

// crowd judges whether other programs want the CPUs of this one. If they do,
// staying awake does harm: a scheduler that shares a core fairly lets a thread
// that sleeps preempt the others as soon as it wakes, and makes one that has
// used its share, or has yielded, wait until each of them has had a time
// slice. A reply then waits for milliseconds to be read.
//
// The sign of it is a yield that takes as long as a time slice. Yields to an
// idle core take 0.5 µs, and those to a server that answers a call on this core
// some 10 to 200 µs: that is what they are for. A host that takes the core away
// from a virtual machine makes a yield late too, but not the next one as well,
// so it is that one that counts. While WaitAwake gives way there are no yields
// to learn from, and CPU statistics say when there is room again.
//
// Times are offsets from any start. A crowd reads no clock and no statistics
// itself. The zero value says that there is room.
type crowd struct {
	dense  bool          // others want the CPUs
	since  time.Duration // when dense last changed
	window time.Duration // when the time in which lost was summed began
	lost   time.Duration // by late yields since
	pause  time.Duration // how long to give way at least, this time
	lookAt time.Duration // when to look for room next
	misled bool          // others were seen, then room, which made it not dense
	others bool          // a look since the change to dense has seen others
}

// The rule's times. A time slice is 0.7 to 10 ms, of each program that competes.
const (
	lateYield   = 500 * time.Microsecond // a shorter one is not counted
	lostWindow  = 100 * time.Millisecond
	muchLost    = 2 * time.Millisecond // of lostWindow, by late yields
	lookEvery   = 100 * time.Millisecond
	shortPause  = lookEvery
	longPause   = 3200 * time.Millisecond
	steadyFor   = time.Second // what was awake for so long was right to be
	fewOthers   = .10         // share of the CPUs that others use, when there is room
	plentyIdle  = .15         // share of the CPUs that is idle, when there is room
	lookSpacing = 100         // times as long as a look took, until the next
)

// yielded takes note of a yield right after a late one, and of how long it took.
func (c *crowd) yielded(now, took time.Duration) {
	if took < lateYield {
		return
	}
	if now-c.window > lostWindow {
		c.window, c.lost = now-took, 0
	}
	if c.lost += took; c.lost >= muchLost {
		c.close(now)
	}
}

// close gives way. If there were others, then seemed to be room, and there was
// none, that is not believed as fast the next time: others may come and go, or
// want only the core that this thread happens to be on.
func (c *crowd) close(now time.Duration) {
	switch {
	case c.pause == 0 || now-c.since >= steadyFor:
		c.pause = shortPause
	case c.misled:
		c.pause = min(2*c.pause, longPause)
	}
	c.dense, c.others, c.since, c.lookAt = true, false, now, now+lookEvery
}

// looked takes the share of the CPU time since the last look, or since the
// change to dense, that other programs used and that was not idle. When it is
// not known, or others never leave room, it is tried again after longPause:
// what is lost then is some muchLost.
func (c *crowd) looked(now time.Duration, others, busy float64, known bool) {
	paused := now - c.since
	room := known && (others < fewOthers || busy < 1-plentyIdle)
	c.others = c.others || known && others >= fewOthers
	if room && paused >= c.pause || paused >= longPause {
		*c = crowd{since: now, window: now, pause: c.pause, misled: room && c.others}
	}
}
