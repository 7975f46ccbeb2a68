package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// The ranks of a run meet at the serving side, whose address all of them know. Rank 0 gives
// orders to the others through it, and they reply. The serving side keeps the newest order
// and the newest reply of each rank. Both have numbers, so a request whose answer was lost
// can be made again.

const (
	maxRanks    = 1000     // of a meeting
	maxMeetings = 16       // at once
	maxMessage  = 64 << 20 // bytes of an order or a reply: the histograms of a run
	// absence is how long a rank may be without a request that attends. Its place is lost
	// then. The end of its process ends the request at once.
	absence = 3 * time.Second
	// remembered is how long a name is known after the end of its meeting.
	remembered = 10 * time.Minute
)

// Place is what a rank says of itself when it comes.
type Place struct {
	Rank, Ranks int
	Machine     string // its name, for messages
	PID         int
	Visit       string          // random, so that a request that is made again is not another rank
	Facts       json.RawMessage `json:"Card"` // what rank 0 compares, in builds of other versions too
}

// Name is how messages name a rank.
func (p Place) Name() string {
	return fmt.Sprintf("rank %d (%s, process %d)", p.Rank, foreign.Line(p.Machine), p.PID)
}

// Roster are the ranks that have come so far, by rank.
type Roster map[int]Place

// message is an order or a reply.
type message struct {
	number int
	text   []byte
}

// member is a rank that has come.
type member struct {
	Place
	attending     int
	absent        *time.Timer // runs while nobody attends
	order, answer message
}

// meeting are the ranks of one run. change is closed, and made anew, when something changes.
type meeting struct {
	mu      sync.Mutex
	ranks   int
	members map[int]*member
	ended   error // why it ended; errOver for an orderly end, nil while it lasts
	forget  func()
	change  chan struct{}
}

// errOver is the orderly end of a run.
var errOver = errors.New("the run is over")

func (m *meeting) changed() {
	close(m.change)
	m.change = make(chan struct{})
}

// end ends the meeting. Only the first reason counts.
func (m *meeting) end(why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.endLocked(why)
}

func (m *meeting) endLocked(why error) {
	if m.ended == nil {
		m.ended = why
		m.changed()
		m.forget()
	}
}

// come makes a rank a member.
func (m *meeting) come(p Place) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ranks = cmp.Or(m.ranks, p.Ranks)
	there := m.members[p.Rank]
	switch {
	case m.ended != nil:
		return fmt.Errorf("rank %d comes too late: %v; each run has a name of its own (-run-name)", p.Rank, m.ended)
	case p.Ranks != m.ranks:
		return m.refuse(fmt.Errorf("rank %d is one of %d, and those who came before are of %d", p.Rank, p.Ranks, m.ranks))
	case there == nil:
		m.members[p.Rank] = &member{Place: p, absent: time.AfterFunc(absence, func() { m.lose(p) })}
		m.changed()
	case there.Visit != p.Visit:
		return fmt.Errorf("there is a rank %d already: %s", p.Rank, there.Name())
	}
	return nil
}

// refuse ends a meeting that still waits for ranks: it would wait in vain.
func (m *meeting) refuse(why error) error {
	if len(m.members) < m.ranks {
		m.endLocked(why)
	}
	return why
}

// lose ends the meeting for the loss of a rank.
func (m *meeting) lose(p Place) {
	m.end(fmt.Errorf("%s has ended, or its machine is cut off", p.Name()))
}

// attend notes that a rank begins or stops to attend.
func (m *meeting) attend(s *member, change int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.attending += change; s.attending > 0 {
		s.absent.Stop()
		return
	}
	s.absent.Reset(absence)
}

// until waits until ready reports true, for the longest wait, or until ctx is over. The error
// says that the meeting has ended.
func (m *meeting) until(ctx context.Context, ready func() bool) error {
	over := time.NewTimer(longestWait)
	defer over.Stop()
	for {
		m.mu.Lock()
		is, ended, change := ready(), m.ended, m.change
		m.mu.Unlock()
		switch {
		case is:
			return nil
		case ended != nil:
			return ended
		}
		select {
		case <-change:
		case <-over.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// roster returns who is there.
func (m *meeting) roster() Roster {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := Roster{}
	for rank, s := range m.members {
		r[rank] = s.Place
	}
	return r
}

// meetings holds those of all runs, by their names.
type meetings struct {
	mu  sync.Mutex
	all map[string]*meeting
}

// of returns the meeting of a name.
func (l *meetings) of(name string) (*meeting, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.all[name]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("there is no run %q here", name)
}

// open returns the meeting of a name, which may be new.
func (l *meetings) open(name string) (*meeting, error) {
	if m, err := l.of(name); err == nil {
		return m, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) >= maxMeetings {
		return nil, fmt.Errorf("%d runs meet here already, or ended within %v, the most at once", maxMeetings, remembered)
	}
	if l.all == nil {
		l.all = map[string]*meeting{}
	}
	if l.all[name] == nil {
		l.all[name] = &meeting{members: map[int]*member{}, change: make(chan struct{}), forget: func() { l.forget(name) }}
	}
	return l.all[name], nil
}

// forget forgets a meeting some time after its end.
func (l *meetings) forget(name string) {
	time.AfterFunc(remembered, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.all, name)
	})
}
