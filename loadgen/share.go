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
// A share of ClosedLoop is ClosedLoop: there, divide Workers among the processes.
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
	_ Validator      = share{}
	_ FiniteSchedule = share{}
)

func (s share) Validate() error {
	if s.ranks < 1 || s.rank < 0 || s.rank >= s.ranks {
		return fmt.Errorf("loadgen: Share of rank %d among %d: the rank must be from 0 to one less than the ranks", s.rank, s.ranks)
	}
	if s.whole == nil {
		return fmt.Errorf("loadgen: Share of no schedule")
	}
	if whole, ok := s.whole.(Validator); ok {
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
