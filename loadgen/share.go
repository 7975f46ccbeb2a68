package loadgen

import (
	"fmt"
	"time"
)

// Share returns one part of a schedule whose calls are made by several
// processes. Each process has a rank, from 0 to ranks-1. The part of a rank has the
// arrivals rank, rank+ranks, rank+2·ranks and so on of the whole. All parts together
// are the whole, so the processes need to agree on nothing but the start. Each
// process draws all arrivals of the whole, which takes some nanoseconds an arrival.
// Calls have the numbers that they have in the whole, see Config.Ranks, so a Mix is
// shared as well, and each entry of a Trace is used once.
// A share of ClosedLoop is ClosedLoop: there, divide Workers and Calls among the
// processes, and set Config.Rank and Config.Ranks.
func Share(whole Schedule, rank, ranks int) Schedule {
	if whole == ClosedLoop {
		return ClosedLoop
	}
	return share{whole, rank, ranks}
}

type share struct {
	whole       Schedule
	rank, ranks int
}

var (
	_ validator = share{}
	_ bounded   = share{}
)

func (s share) Validate() error {
	if s.ranks < 1 || s.rank < 0 || s.rank >= s.ranks {
		return fmt.Errorf("loadgen: Share of rank %d among %d: the rank must be from 0 to one less than the ranks", s.rank, s.ranks)
	}
	if s.whole == nil {
		return fmt.Errorf("loadgen: Share of no schedule")
	}
	if whole, ok := s.whole.(validator); ok {
		return whole.Validate()
	}
	return nil
}

func (s share) Finite() bool { return finite(s.whole) }

func (s share) Start() Arrivals {
	return &shareArrivals{whole: s.whole.Start(), skip: s.rank, others: s.ranks - 1}
}

type shareArrivals struct {
	whole        Arrivals
	skip, others int // arrivals of other ranks before our next, and between two of ours
}

func (a *shareArrivals) Next() (due time.Duration, ok bool) {
	for range a.skip {
		if _, ok := a.whole.Next(); !ok {
			return 0, false
		}
	}
	a.skip = a.others
	return a.whole.Next()
}

// numbering says which number the calls of a process have in the run.
type numbering struct{ first, step int64 }

// of returns the number of the process's call i, from 0.
func (n numbering) of(i int64) int64 { return n.first + i*n.step }

func (c Config) numbering() numbering {
	if c.Ranks > 0 {
		return numbering{int64(c.Rank), int64(c.Ranks)}
	}
	return numberingOf(c.Schedule)
}

// numberingOf also knows the numbers of a share of a share.
func numberingOf(s Schedule) numbering {
	part, ok := s.(share)
	if !ok {
		return numbering{0, 1}
	}
	whole := numberingOf(part.whole)
	return numbering{whole.of(int64(part.rank)), whole.step * int64(part.ranks)}
}
