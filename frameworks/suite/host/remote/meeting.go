package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
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
	maxLetter   = 64 << 20 // bytes of an order or a reply: the histograms of a run
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
	Card        json.RawMessage // what rank 0 compares
}

// Name is how messages name a rank.
func (p Place) Name() string {
	return fmt.Sprintf("rank %d (%s, process %d)", p.Rank, foreign.Line(p.Machine), p.PID)
}

// Roster are the ranks that have come so far, by rank.
type Roster map[int]Place

// letter is an order or a reply.
type letter struct {
	number int
	text   []byte
}

// seat is where one rank sits.
type seat struct {
	Place
	attending     int
	absent        *time.Timer // runs while nobody attends
	order, answer letter
}

// meeting are the ranks of one run. change is closed, and made anew, when something changes.
type meeting struct {
	mu     sync.Mutex
	ranks  int
	seats  map[int]*seat
	ended  error // why it ended; errOver for an orderly end, nil while it lasts
	forget func()
	change chan struct{}
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

// come gives a rank its seat.
func (m *meeting) come(p Place) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ranks = cmp.Or(m.ranks, p.Ranks)
	there := m.seats[p.Rank]
	switch {
	case m.ended != nil:
		return fmt.Errorf("rank %d comes too late: %v; each run has a name of its own (-run-name)", p.Rank, m.ended)
	case p.Ranks != m.ranks:
		return m.refuse(fmt.Errorf("rank %d is one of %d, and those who came before are of %d", p.Rank, p.Ranks, m.ranks))
	case there == nil:
		m.seats[p.Rank] = &seat{Place: p, absent: time.AfterFunc(absence, func() { m.lose(p) })}
		m.changed()
	case there.Visit != p.Visit:
		return fmt.Errorf("there is a rank %d already: %s", p.Rank, there.Name())
	}
	return nil
}

// refuse ends a meeting that still waits for ranks: it would wait in vain.
func (m *meeting) refuse(why error) error {
	if len(m.seats) < m.ranks {
		m.endLocked(why)
	}
	return why
}

// lose ends the meeting for the loss of a rank.
func (m *meeting) lose(p Place) {
	m.end(fmt.Errorf("%s has ended, or its machine is cut off", p.Name()))
}

// attend notes that a rank begins or stops to attend.
func (m *meeting) attend(s *seat, change int) {
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
	for rank, s := range m.seats {
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
		l.all[name] = &meeting{seats: map[int]*seat{}, change: make(chan struct{}), forget: func() { l.forget(name) }}
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

// handler answers requests of ranks, below /runs/.
func (l *meetings) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /runs/clock", func(w http.ResponseWriter, _ *http.Request) { answer(w, time.Now(), nil) })
	mux.HandleFunc("PUT /runs/{run}/come", about(l.open, come))
	mux.HandleFunc("PUT /runs/{run}/end", about(l.of, end))
	mux.HandleFunc("GET /runs/{run}/roster", about(l.of, roster))
	for path, do := range map[string]func(*meeting, *seat, http.ResponseWriter, *http.Request) error{
		"GET attend":           attend,
		"PUT orders/{number}":  put(func(s *seat) *letter { return &s.order }),
		"GET orders/{number}":  get(func(s *seat) *letter { return &s.order }),
		"PUT replies/{number}": put(func(s *seat) *letter { return &s.answer }),
		"GET replies/{number}": get(func(s *seat) *letter { return &s.answer }),
	} {
		mux.HandleFunc(strings.Replace(path, " ", " /runs/{run}/ranks/{rank}/", 1), about(l.of, at(do)))
	}
	return http.MaxBytesHandler(mux, maxLetter)
}

// about finds the meeting that a request is about, and answers with the error.
func about(of func(name string) (*meeting, error), do func(*meeting, http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, err := of(r.PathValue("run"))
		if err == nil {
			err = do(m, w, r)
		}
		switch {
		case errors.Is(err, errOver):
			http.Error(w, err.Error(), http.StatusGone)
		case err != nil:
			http.Error(w, err.Error(), http.StatusConflict)
		}
	}
}

// at finds the seat that a request is about.
func at(do func(*meeting, *seat, http.ResponseWriter, *http.Request) error) func(*meeting, http.ResponseWriter, *http.Request) error {
	return func(m *meeting, w http.ResponseWriter, r *http.Request) error {
		rank, _ := strconv.Atoi(r.PathValue("rank"))
		m.mu.Lock()
		s := m.seats[rank]
		m.mu.Unlock()
		if s == nil {
			return fmt.Errorf("there is no rank %d", rank)
		}
		return do(m, s, w, r)
	}
}

func come(m *meeting, w http.ResponseWriter, r *http.Request) error {
	var p Place
	err := json.NewDecoder(r.Body).Decode(&p)
	if err == nil && (p.Ranks < 2 || p.Ranks > maxRanks || p.Rank < 0 || p.Rank >= p.Ranks) {
		err = fmt.Errorf("rank %d of %d: there may be 2 to %d ranks, of which the first is 0", p.Rank, p.Ranks, maxRanks)
	}
	if err == nil {
		err = m.come(p)
	}
	return answer(w, struct{}{}, err)
}

// roster answers when more ranks are there than the one who asks knows of, or after a while.
func roster(m *meeting, w http.ResponseWriter, r *http.Request) error {
	known, _ := strconv.Atoi(r.URL.Query().Get("known"))
	err := m.until(r.Context(), func() bool { return len(m.seats) > known })
	return answer(w, m.roster(), err)
}

// end takes the reason from the body.
func end(m *meeting, w http.ResponseWriter, r *http.Request) error {
	var why string
	err := json.NewDecoder(r.Body).Decode(&why)
	switch {
	case err == nil && why == "":
		m.end(errOver)
	case err == nil:
		m.end(errors.New(why))
	}
	return answer(w, struct{}{}, err)
}

// attend answers after a while, or with the end of the meeting.
func attend(m *meeting, s *seat, w http.ResponseWriter, r *http.Request) error {
	m.attend(s, 1)
	defer m.attend(s, -1)
	err := m.until(r.Context(), func() bool { return false })
	return answer(w, struct{}{}, err)
}

// put takes an order or a reply. One with an old number is a request that was made again.
func put(of func(*seat) *letter) func(*meeting, *seat, http.ResponseWriter, *http.Request) error {
	return func(m *meeting, s *seat, w http.ResponseWriter, r *http.Request) error {
		number, _ := strconv.Atoi(r.PathValue("number"))
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		m.mu.Lock()
		if l := of(s); number > l.number {
			*l = letter{number, text}
			m.changed()
		}
		m.mu.Unlock()
		return answer(w, struct{}{}, nil)
	}
}

// get answers with an order or a reply when it is there, or with nothing after a while.
func get(of func(*seat) *letter) func(*meeting, *seat, http.ResponseWriter, *http.Request) error {
	return func(m *meeting, s *seat, w http.ResponseWriter, r *http.Request) error {
		number, _ := strconv.Atoi(r.PathValue("number"))
		var text []byte
		err := m.until(r.Context(), func() bool {
			if l := of(s); l.number == number {
				text = l.text
			}
			return text != nil
		})
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
}
