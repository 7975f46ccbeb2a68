package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

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
	// maxHeld bounds the bytes of all orders and replies that are held at once.
	maxHeld = 4 * maxMessage
	// absence is how long a rank keeps its place after a request that attends has broken off. The end
	// of a process breaks off its requests at once.
	absence = 3 * time.Second
	// lateness is how long a rank keeps its place after a request that was answered. The process
	// was alive then, and a busy machine may let it wait before it makes the next one.
	lateness = 10 * time.Second
	// remembered is how long a name is known after the end of its meeting, and mostRemembered
	// how many are.
	remembered     = 10 * time.Minute
	mostRemembered = 1000
)

// Place is what a rank says of itself when it comes.
type Place struct {
	Rank, Ranks int
	Machine     string // its name, for messages
	PID         int
	Stays       bool            // for further runs of the same name
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
	lost          error // why it is a member no more; nil while it is
}

// Lost is the error of a request about a rank that has ended, or whose machine is cut off. A process
// that is started again may take its place.
type Lost struct{ text string }

func (e Lost) Error() string { return e.text }

// meeting are the ranks of one run. change is closed, and made anew, when something changes.
type meeting struct {
	mu      sync.Mutex
	ranks   int
	members map[int]*member
	arrived []*member // the same, in the order in which they came
	ended   error     // why it ended; errOver for an orderly end, nil while it lasts
	forget  func()
	change  chan struct{}
	room    *room // for orders and replies
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
	if m.ended != nil {
		return
	}
	m.ended = why
	for _, s := range m.members {
		s.absent.Stop()
		m.drop(&s.order)
		m.drop(&s.answer)
	}
	m.changed()
	m.forget()
}

// take puts a new message in the place of an old one. What is done is needed no more.
func (m *meeting) take(one message, place, done *message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended != nil || one.number <= place.number {
		m.drop(&one)
		return
	}
	m.drop(place)
	m.drop(done)
	*place = one
	m.changed()
}

// drop forgets the text of a message that nobody needs any more.
func (m *meeting) drop(l *message) {
	m.room.give(int64(len(l.text)))
	l.text = nil
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
	case there == nil || there.lost != nil:
		there = &member{Place: p}
		there.absent = time.AfterFunc(lateness, func() { m.lose(there) })
		m.members[p.Rank], m.arrived = there, append(m.arrived, there)
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

// lose ends the meeting for the loss of rank 0, without which there are no orders. The place of any
// other rank is free then.
func (m *meeting) lose(s *member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.lost = Lost{s.Name() + " has ended, or its machine is cut off"}
	switch {
	case s.Rank == 0:
		m.endLocked(s.lost)
	case m.ended == nil:
		m.drop(&s.order)
		m.drop(&s.answer)
		m.changed()
	}
}

// awaitLoss waits while another process has the place of p and does not attend. That process has
// ended: p was started again in its place, and knows so before the meeting does. It loses the place
// at the latest a second after the time of absence.
func (m *meeting) awaitLoss(ctx context.Context, p Place) {
	end := time.Now().Add(absence + time.Second)
	for s := m.absent(p); s != nil && ctx.Err() == nil; s = m.absent(p) {
		if time.Now().After(end) {
			m.lose(s)
			return
		}
		time.Sleep(absence / 60)
	}
}

// absent returns who has the place of a rank, if it is another process, which does not attend.
func (m *meeting) absent(p Place) *member {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.members[p.Rank]
	if m.ended != nil || s == nil || s.lost != nil || s.Visit == p.Visit || s.attending > 0 {
		return nil
	}
	return s
}

// member returns the rank of a number. visit is that of the process that is meant, "" for any.
func (m *meeting) member(rank int, visit string) (*member, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.members[rank]
	switch {
	case s == nil:
		return nil, fmt.Errorf("there is no rank %d", rank)
	case s.lost != nil:
		return nil, s.lost
	case visit != "" && visit != s.Visit:
		return nil, Lost{fmt.Sprintf("rank %d has ended, or was cut off, and %s has taken its place", rank, s.Name())}
	}
	return s, nil
}

// attend notes that a rank begins to attend.
func (m *meeting) attend(s *member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.attending++
	s.absent.Stop()
}

// leave notes that a request of a rank has ended. The rank loses its place if no other begins within
// the time.
func (m *meeting) leave(s *member, within time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.attending--; s.attending == 0 {
		s.absent.Reset(within)
	}
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

// untilOf is until, and its error may also say that a rank is lost.
func (m *meeting) untilOf(ctx context.Context, s *member, ready func() bool) error {
	var lost error
	err := m.until(ctx, func() bool {
		lost = s.lost
		return lost != nil || ready()
	})
	return cmp.Or(err, lost)
}

// mostSaid bounds what an answer has of ranks, before its last one. JSON may make six bytes of
// one: even then the answer has less than maxReply.
const mostSaid = 64 << 10

// roster returns who has come after those that are known. Of many it is the first ones: what a
// thousand ranks say is too long for one answer, and rank 0 asks again while some are missing. A
// rank that came twice is in two answers, so that their lengths count who came.
func (m *meeting) roster(known int) Roster {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, size := Roster{}, 0
	for _, s := range m.arrived[min(max(known, 0), len(m.arrived)):] {
		if _, before := r[s.Rank]; before || size > mostSaid {
			break
		}
		r[s.Rank] = s.Place
		size += len(s.Machine) + len(s.Visit) + len(s.Facts)
	}
	return r
}

// meetings holds those of all runs, by their names: those that last, and the names of those
// that have ended, the oldest first.
type meetings struct {
	mu    sync.Mutex
	all   map[string]*meeting
	ended []string
	room  room
}

// of returns the meeting of a name.
func (l *meetings) of(name string) (*meeting, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.all[name]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("there is no run %q here", foreign.Line(name))
}

// open returns the meeting of a name, which may be new. Ranks that stay begin another one when it has
// ended.
func (l *meetings) open(name string, stays bool) (*meeting, error) {
	if err := CheckRun(name); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.all[name]
	if m != nil && (!stays || !slices.Contains(l.ended, name)) {
		return m, nil
	}
	if m != nil {
		l.forget(name)
	}
	if len(l.all)-len(l.ended) >= maxMeetings {
		return nil, fmt.Errorf("%d runs meet here already, the most at once", maxMeetings)
	}
	if l.all == nil {
		l.all = map[string]*meeting{}
	}
	m = &meeting{members: map[int]*member{}, change: make(chan struct{}), room: &l.room}
	m.forget = func() { l.end(name, m) }
	l.all[name] = m
	return m, nil
}

// end notes that a meeting has ended, whose name is forgotten some time later.
func (l *meetings) end(name string, m *meeting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = append(l.ended, name)
	if len(l.ended) > mostRemembered {
		l.forget(l.ended[0])
	}
	time.AfterFunc(remembered, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.all[name] == m {
			l.forget(name)
		}
	})
}

func (l *meetings) forget(name string) {
	delete(l.all, name)
	l.ended = slices.DeleteFunc(l.ended, func(one string) bool { return one == name })
}

// mostName bounds the bytes of the name of a run.
const mostName = 200

// CheckRun returns an error for the name of a run that cannot be a part of a URL's path.
func CheckRun(name string) error {
	switch {
	case name == "." || name == "..":
	case name == "" || len(name) > mostName:
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
	case !utf8.ValidString(name):
	default:
		return nil
	}
	return fmt.Errorf("%q is no name of a run: apart from . and .. it is any text of 1 to %d bytes without control characters", foreign.Line(short(name)), mostName)
}

// short returns the beginning of a text that is too long.
func short(text string) string { return text[:min(len(text), mostName)] }
