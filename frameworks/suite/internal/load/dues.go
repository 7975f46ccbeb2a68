package load

import (
	"fmt"
	"math"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/splitmix"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dues sums up the due times of calls, in any order, so that those of all ranks can be
// compared with those of the schedule.
type dues struct {
	Calls int64
	Sum   uint64 // of what mixed makes of each
}

func (d *dues) add(due time.Duration) {
	d.Calls++
	d.Sum += mixed(uint64(due))
}

// mixed spreads the bits of a due time. Without it, other times with the same total would
// have the same sum.
func mixed(due uint64) uint64 { return splitmix.Output(due + splitmix.Golden) }

// duesOf sums up the first calls of a schedule, of those before an end; 0 for no end.
func duesOf(s loadgen.Schedule, calls int64, end time.Duration) (d dues) {
	arrivals := s.Start()
	for d.Calls < calls {
		due, ok := arrivals.Next()
		if !ok || end > 0 && due >= end {
			break
		}
		d.add(due)
	}
	return d
}

// checkDues returns an error unless the calls of all ranks were due when the schedule says.
// A rank that ended early has drawn fewer of them; its run has an error of its own.
func checkDues(s loadgen.Schedule, replies []RunReply, end time.Duration) error {
	if s == loadgen.ClosedLoop {
		return nil
	}
	var all dues
	for _, r := range replies {
		all.Calls += r.Dues.Calls
		all.Sum += r.Dues.Sum
	}
	if want := duesOf(s, all.Calls, end); want != all {
		return fmt.Errorf("the %d calls of all clients were due at other times than the first of the schedule", all.Calls)
	}
	return nil
}

// checkShares returns an error unless the calls of each rank were due as the first of its share
// of a schedule, and all of those before an end were made; 0 for none. The arrival that a rank had
// drawn when it heard of the end may be one of its calls.
func checkShares(s loadgen.Schedule, replies []RunReply, end time.Duration) error {
	if s == loadgen.ClosedLoop {
		return nil
	}
	for rank, r := range replies {
		mine, most := loadgen.Share(s, rank, len(replies)), int64(math.MaxInt64)
		if end > 0 {
			most = duesOf(mine, math.MaxInt64, end).Calls + 1
		}
		if n := r.Dues.Calls; n > most || n < most-1 && end > 0 || duesOf(mine, n, 0) != r.Dues {
			return fmt.Errorf("the %d calls of client %d were not due as the first of its share of the schedule, which are %d until it ended", n, rank, most-1)
		}
	}
	return nil
}

// noting is a schedule that sums up when calls are due. loadgen starts a schedule several
// times: the first of these arrivals are those of the calls.
type noting struct {
	loadgen.Schedule
	end     time.Duration // no call is due from then on; 0 for no end
	dues    *dues
	started *bool
}

// noted returns a schedule that sums up into d. A closed loop has no due times.
func noted(s loadgen.Schedule, end time.Duration, d *dues) loadgen.Schedule {
	if s == loadgen.ClosedLoop {
		return s
	}
	return noting{s, end, d, new(bool)}
}

// Start implements loadgen.Schedule.
func (n noting) Start() loadgen.Arrivals {
	if *n.started {
		return n.Schedule.Start()
	}
	*n.started = true
	return notingArrivals{n.Schedule.Start(), n}
}

type notingArrivals struct {
	loadgen.Arrivals
	noting noting
}

// Next implements loadgen.Arrivals.
func (a notingArrivals) Next() (due time.Duration, ok bool) {
	due, ok = a.Arrivals.Next()
	if ok && (a.noting.end == 0 || due < a.noting.end) {
		a.noting.dues.add(due)
	}
	return due, ok
}
