package timer

import "time"

// contention judges whether other programs want the CPUs of this one. If they do,
// staying awake does harm. A scheduler that shares a core fairly lets a thread that
// sleeps preempt the others as soon as it wakes. A thread that has used its share,
// or has yielded, has to wait until each of the others has had a time slice, and a
// reply then waits for milliseconds to be read.
//
// The sign of others is a yield that takes about a time slice. A yield on an idle
// core takes 0.5 µs. A yield to a server that answers a call on this core takes some
// 10 to 200 µs, which is what yields are for. When the host takes the core away from
// a virtual machine, a yield is late too, but the next one is not. So a late yield
// is followed by another, and only the second counts. While the waiter gives way
// there are no yields to learn from; then CPU statistics tell when there is room.
//
// Times are offsets from any start. A contention reads no clock and no statistics
// itself. The zero value says that there is room.
type contention struct {
	contended bool          // others want the CPUs
	since     time.Duration // when contended last changed
	window    time.Duration // when summing lost began
	lost      time.Duration // time lost by late yields since then
	pause     time.Duration // how long to give way at least, this time
	lookAt    time.Duration // when to look for room next
	misled    bool          // contended ended because a look saw room after others had been seen
	others    bool          // a look since the change to contended has seen others
}

// The rule's times. Each competing program gets a time slice of 0.7 to 10 ms.
const (
	lateYield   = 500 * time.Microsecond // a shorter one is not counted
	lostWindow  = 100 * time.Millisecond
	muchLost    = 2 * time.Millisecond // of lostWindow, by late yields
	lookEvery   = 100 * time.Millisecond
	shortPause  = lookEvery
	longPause   = 3200 * time.Millisecond
	steadyFor   = time.Second // staying awake for this long proves that there was room
	fewOthers   = .10         // if others use less than this share of the CPUs, there is room
	plentyIdle  = .15         // if more than this share of the CPUs is idle, there is room
	lookSpacing = 100         // time until the next look, over the time that a look takes
)

// yielded notes how long a yield took that came right after a late one.
func (c *contention) yielded(now, took time.Duration) {
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

// close begins to give way. If a look had seen room by mistake, the pause doubles,
// so that room is believed more slowly the next time: others may come and go, or
// want only the core that this thread happens to be on.
func (c *contention) close(now time.Duration) {
	switch {
	case c.pause == 0 || now-c.since >= steadyFor:
		c.pause = shortPause
	case c.misled:
		c.pause = min(2*c.pause, longPause)
	}
	c.contended, c.others, c.since, c.lookAt = true, false, now, now+lookEvery
}

// looked notes which share of the CPU time other programs used, and which was not
// idle, since the last look or since the change to contended. If the shares are not
// known, or show no room for longPause, staying awake is tried again all the same:
// a mistake costs little more than muchLost.
func (c *contention) looked(now time.Duration, others, busy float64, known bool) {
	paused := now - c.since
	room := known && (others < fewOthers || busy < 1-plentyIdle)
	c.others = c.others || known && others >= fewOthers
	if room && paused >= c.pause || paused >= longPause {
		*c = contention{since: now, window: now, pause: c.pause, misled: room && c.others}
	}
}
