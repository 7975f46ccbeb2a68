package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// handler answers requests of ranks, below /runs/.
func (l *meetings) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /runs/clock", func(w http.ResponseWriter, _ *http.Request) { answer(w, time.Now(), nil) })
	mux.HandleFunc("PUT /runs/{run}/come", l.come)
	mux.HandleFunc("PUT /runs/{run}/end", about(l.of, end))
	mux.HandleFunc("GET /runs/{run}/roster", about(l.of, roster))
	for path, do := range map[string]func(*meeting, *member, http.ResponseWriter, *http.Request) error{
		"GET attend":           attend,
		"PUT orders/{number}":  put(orderOf, answerOf),
		"GET orders/{number}":  get(orderOf),
		"PUT replies/{number}": put(answerOf, orderOf),
		"GET replies/{number}": get(answerOf),
	} {
		mux.HandleFunc(strings.Replace(path, " ", " /runs/{run}/ranks/{rank}/", 1), about(l.of, at(do)))
	}
	return http.MaxBytesHandler(mux, maxMessage)
}

func orderOf(s *member) *message  { return &s.order }
func answerOf(s *member) *message { return &s.answer }

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
		case errors.As(err, new(Lost)):
			http.Error(w, err.Error(), http.StatusFailedDependency)
		case err != nil:
			http.Error(w, err.Error(), http.StatusConflict)
		}
	}
}

// at finds the member that a request is about.
func at(do func(*meeting, *member, http.ResponseWriter, *http.Request) error) func(*meeting, http.ResponseWriter, *http.Request) error {
	return func(m *meeting, w http.ResponseWriter, r *http.Request) error {
		rank, _ := strconv.Atoi(r.PathValue("rank"))
		s, err := m.member(rank, r.URL.Query().Get("visit"))
		if err != nil {
			return err
		}
		return do(m, s, w, r)
	}
}

// come makes a rank a member of a meeting, which may be new: a refused rank leaves none behind.
func (l *meetings) come(w http.ResponseWriter, r *http.Request) {
	var p Place
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&p)
	if err == nil && (p.Ranks < 2 || p.Ranks > maxRanks || p.Rank < 0 || p.Rank >= p.Ranks) {
		err = fmt.Errorf("rank %d of %d: there may be 2 to %d ranks, of which the first is 0", p.Rank, p.Ranks, maxRanks)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	open := func(name string) (*meeting, error) { return l.open(name, p.Stays) }
	about(open, func(m *meeting, w http.ResponseWriter, r *http.Request) error {
		m.awaitLoss(r.Context(), p)
		return answer(w, struct{}{}, m.come(p))
	})(w, r)
}

// roster answers with ranks that came after those that the one who asks knows of, or with none
// after a while.
func roster(m *meeting, w http.ResponseWriter, r *http.Request) error {
	known, _ := strconv.Atoi(r.URL.Query().Get("known"))
	err := m.until(r.Context(), func() bool { return len(m.arrived) > known })
	return answer(w, m.roster(known), err)
}

// end takes the reason from the body.
func end(m *meeting, w http.ResponseWriter, r *http.Request) error {
	var why string
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&why)
	switch {
	case err == nil && why == "":
		m.end(errOver)
	case err == nil:
		m.end(errors.New(why))
	}
	return answer(w, struct{}{}, err)
}

// attend answers after a while, or with the end of the meeting.
func attend(m *meeting, s *member, w http.ResponseWriter, r *http.Request) error {
	m.attend(s)
	err := m.untilOf(r.Context(), s, func() bool { return false })
	within := lateness
	if r.Context().Err() != nil {
		within = absence
	}
	m.leave(s, within)
	return answer(w, struct{}{}, err)
}

// put takes an order or a reply. One with an old number is a request that was made again. A
// reply shows that its order has arrived, and an order that the reply before it has: the text of
// what has arrived, which done finds, is held no longer.
func put(of, done func(*member) *message) func(*meeting, *member, http.ResponseWriter, *http.Request) error {
	return func(m *meeting, s *member, w http.ResponseWriter, r *http.Request) error {
		number, _ := strconv.Atoi(r.PathValue("number"))
		if err := m.room.take(r.ContentLength); err != nil {
			return err
		}
		l := message{number, make([]byte, r.ContentLength)}
		if _, err := io.ReadFull(r.Body, l.text); err != nil {
			m.drop(&l)
			return err
		}
		m.take(l, of(s), done(s))
		return answer(w, struct{}{}, nil)
	}
}

// get answers with an order or a reply when it is there, or with nothing after a while.
func get(of func(*member) *message) func(*meeting, *member, http.ResponseWriter, *http.Request) error {
	return func(m *meeting, s *member, w http.ResponseWriter, r *http.Request) error {
		number, _ := strconv.Atoi(r.PathValue("number"))
		var text []byte
		err := m.untilOf(r.Context(), s, func() bool {
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
