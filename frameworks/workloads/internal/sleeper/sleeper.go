// Package sleeper waits for times below a millisecond, as a handler waits for a backend.
//
// time.Sleep is too coarse for that: in a process that has nothing else to do, the runtime
// waits for whole milliseconds. A Sleeper has a timer of the kernel, whose expiry wakes the
// process as a response on a socket does.
package sleeper

import (
	"container/heap"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// ErrClosed is returned by sleeps that Close cuts short, and by later ones.
var ErrClosed = errors.New("the sleeper is closed")

// Sleeper lets many goroutines sleep at once on one timer. One of those asleep waits for the
// timer, and wakes the others when they are due.
type Sleeper struct {
	alarm alarm
	start time.Time // of all times
	early lead
	turn  chan struct{} // has a token while no goroutine waits for the timer
	step  func() bool   // wake; a field, so that Sleep allocates nothing
	free  sync.Pool     // of sleeps

	mu      sync.Mutex
	asleep  queue
	waiting *sleep // of the goroutine that waits for the timer; nil if none does
	closed  bool
}

// alarm is a timer for one goroutine that waits, and for others that set it.
type alarm interface {
	// set has the alarm ring in d.
	set(d time.Duration)
	// wait calls step, and again after each ring, until it returns true. It returns
	// early once the alarm is closed.
	wait(step func() bool)
	close() error
}

// New returns a Sleeper. An error says which timer the system refused.
func New() (*Sleeper, error) {
	a, err := newAlarm()
	if err != nil {
		return nil, err
	}
	return newSleeper(a), nil
}

func newSleeper(a alarm) *Sleeper {
	s := &Sleeper{alarm: a, start: time.Now(), turn: make(chan struct{}, 1)}
	s.step = s.wake
	s.free.New = func() any { return &sleep{awake: make(chan error, 1)} }
	s.turn <- struct{}{}
	return s
}

// Sleep waits for d, and not at all if d is at most 0. The least that a sleep can take is
// what the way from the timer to the goroutine takes.
func (s *Sleeper) Sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	begin, early := time.Since(s.start), s.early.get()
	one := s.free.Get().(*sleep)
	defer s.free.Put(one)
	one.due, one.over = begin+d-min(early, d/2), false
	if err := s.await(one); err != nil {
		return err
	}
	if early <= d/2 {
		s.early.learn(time.Since(s.start) - begin - d)
	}
	return nil
}

// await returns when a sleep is over.
func (s *Sleeper) await(one *sleep) error {
	if !s.add(one) {
		return ErrClosed
	}
	select {
	case err := <-one.awake:
		return err
	case <-s.turn:
		s.lead(one)
		s.turn <- struct{}{}
		return <-one.awake
	}
}

// lead waits for the timer in the stead of all, until its own sleep is over.
func (s *Sleeper) lead(one *sleep) {
	s.mu.Lock()
	s.waiting = one
	s.mu.Unlock()
	s.alarm.wait(s.step)
	s.mu.Lock()
	s.waiting = nil
	s.mu.Unlock()
}

// add returns false once the Sleeper is closed.
func (s *Sleeper) add(one *sleep) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	heap.Push(&s.asleep, one)
	if s.waiting != nil && s.asleep[0] == one {
		s.alarm.set(one.due - time.Since(s.start))
	}
	return true
}

// wake ends the sleeps that are due and sets the timer for the next one. It reports whether
// the goroutine that waits for the timer is among them.
func (s *Sleeper) wake() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asleep.end(time.Since(s.start), nil)
	if s.waiting.over {
		return true
	}
	s.alarm.set(s.asleep[0].due - time.Since(s.start))
	return false
}

// Close ends all sleeps.
func (s *Sleeper) Close() error {
	s.mu.Lock()
	s.closed = true
	s.asleep.end(math.MaxInt64, ErrClosed)
	s.mu.Unlock()
	return s.alarm.close()
}

// lead is by how much sleeps end early, so that what the way from the timer to the sleeping
// goroutine takes does not make them longer on average: some 20 to 50 µs on an idle CPU. Its
// zero value has none yet.
type lead struct{ ns atomic.Int64 }

const (
	// mostLead bounds what is made up for. Delays beyond it are not of a timer: the process
	// waits for a CPU, as it would with a response.
	mostLead = 100 * time.Microsecond
	// A rare delay of milliseconds counts as this one.
	mostDelay = 20 * time.Microsecond
	// learnt is the share of a delay that is learnt from one sleep.
	learnt = 1.0 / 64
)

func (l *lead) get() time.Duration { return time.Duration(l.ns.Load()) }

// learn notes how much longer than wanted a sleep took. Two that learn at once may forget
// one of theirs.
func (l *lead) learn(late time.Duration) {
	step := learnt * float64(min(max(late, -mostDelay), mostDelay))
	l.ns.Store(int64(min(max(l.get()+time.Duration(step), 0), mostLead)))
}
