package loadgen

import (
	"fmt"
	"time"
)

// Share is one part of a schedule whose calls are made by several processes: of
// size parts, that of rank 0 to size-1 has the arrivals rank, rank+size,
// rank+2·size and so on. All parts together are the schedule, so that nothing
// needs to be said between them but when to start. Each draws all arrivals of
// the whole, some nanoseconds each. A share of ClosedLoop is ClosedLoop: there,
// Workers are divided.
func Share(whole Schedule, rank, size int) Schedule {
	if whole == ClosedLoop {
		return ClosedLoop
	}
	return share{whole, rank, size}
}

type share struct {
	whole      Schedule
	rank, size int
}

func (s share) Validate() error {
	if s.size < 1 || s.rank < 0 || s.rank >= s.size {
		return fmt.Errorf("loadgen: Share of rank %d among %d: the rank must be from 0 to one less than the size", s.rank, s.size)
	}
	if s.whole == nil {
		return fmt.Errorf("loadgen: Share of no schedule")
	}
	if whole, ok := s.whole.(interface{ Validate() error }); ok {
		return whole.Validate()
	}
	return nil
}

func (s share) Finite() bool { return finite(s.whole) }

func (s share) Start() Arrivals {
	return &shareArrivals{whole: s.whole.Start(), skip: s.rank, others: s.size - 1}
}

type shareArrivals struct {
	whole        Arrivals
	skip, others int // arrivals of others before the next, and between ours
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
