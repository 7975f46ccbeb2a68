package load

import (
	"fmt"
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

// checkShares returns an error unless the calls of each agent were due as the first of its share
// of a schedule, and all of those before an end were made; 0 for none. The arrival that an agent had
// drawn when it heard of the end may be one of its calls.
func checkShares(s loadgen.Schedule, replies []RunReply, end time.Duration) error {
	if s == loadgen.ClosedLoop {
		return nil
	}
	drawn, before := deal(s, replies, end)
	for i, r := range replies {
		late := end > 0 && (r.Dues.Calls < before[i] || r.Dues.Calls > before[i]+1)
		if late || drawn[i] != r.Dues {
			return fmt.Errorf("the %d calls of client %d were not due as the first of its share of the schedule, until the end of the run", r.Dues.Calls, i)
		}
	}
	return nil
}

// deal deals the arrivals of a schedule out to agents, in turn. drawn are as many of each as it has
// drawn, and before is how many of its share are due before the end.
func deal(s loadgen.Schedule, replies []RunReply, end time.Duration) (drawn []dues, before []int64) {
	drawn, before = make([]dues, len(replies)), make([]int64, len(replies))
	left := int64(0)
	for _, r := range replies {
		left += r.Dues.Calls
	}
	arrivals := s.Start()
	for i := 0; ; i = (i + 1) % len(replies) {
		due, ok := arrivals.Next()
		if !ok || left == 0 && due >= end {
			return drawn, before
		}
		if due < end {
			before[i]++
		}
		if drawn[i].Calls < replies[i].Dues.Calls {
			drawn[i].add(due)
			left--
		}
	}
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
