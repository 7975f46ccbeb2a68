package server

import (
	"cmp"
	"container/heap"
	"sync"
	"time"
)

// alarm wakes goroutines at times, which are offsets from its start. One goroutine waits for
// the earliest time of all.
type alarm struct {
	start time.Time
	timer *timer

	mu      sync.Mutex
	waiting sleepers
	slept   int64 // how many have waited so far
}

// sleeper is a goroutine that waits.
type sleeper struct {
	until  time.Duration
	number int64
	woken  chan struct{}
}

func newAlarm() (*alarm, error) {
	t, err := newTimer()
	if err != nil {
		return nil, err
	}
	return &alarm{start: time.Now(), timer: t}, nil
}

// now is the time that all others are compared with.
func (a *alarm) now() time.Duration { return time.Since(a.start) }

// sleep returns at a time, and at once if that is over.
func (a *alarm) sleep(until time.Duration) {
	if until <= a.now() {
		return
	}
	a.mu.Lock()
	a.slept++
	s := sleeper{until, a.slept, make(chan struct{})}
	heap.Push(&a.waiting, s)
	if a.waiting[0] == s {
		a.timer.set(until - a.now())
	}
	a.mu.Unlock()
	<-s.woken
}

// run wakes the others until the timer fails, which it does only when the system has none.
func (a *alarm) run() error {
	for {
		if err := a.timer.wait(); err != nil {
			return err
		}
		if err := a.wake(); err != nil {
			return err
		}
	}
}

// wake wakes all whose time has come, and sets the timer for the next.
func (a *alarm) wake() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.waiting) > 0 {
		if rest := a.waiting[0].until - a.now(); rest > 0 {
			return a.timer.set(rest)
		}
		close(heap.Pop(&a.waiting).(sleeper).woken)
	}
	return nil
}

// sleepers is a heap with the earliest first, and of those with the same time the one that has
// waited longest.
type sleepers []sleeper

func (s sleepers) Len() int      { return len(s) }
func (s sleepers) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *sleepers) Push(x any)   { *s = append(*s, x.(sleeper)) }

func (s sleepers) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s[i].until, s[j].until), cmp.Compare(s[i].number, s[j].number)) < 0
}

func (s *sleepers) Pop() any {
	old := *s
	last := old[len(old)-1]
	*s = old[:len(old)-1]
	return last
}
