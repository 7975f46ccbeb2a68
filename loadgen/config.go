package loadgen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Call makes one call and returns when it is done. It runs in many goroutines
// at once, one per worker. worker, from 0 to Config.Workers-1, is the number of
// that goroutine, so that a Call can keep state for each worker without locks.
type Call func(ctx context.Context, worker int) error

// AsyncCall starts one call and returns; the call is done when done is called,
// from any goroutine. Calling done again does nothing.
type AsyncCall func(ctx context.Context, worker int, done func(error))

// Arrival is the place of a call in its run.
type Arrival struct {
	// Number counts the calls of the whole run by due time, in a closed loop by when they
	// were made, from 0 and from the start of the warm-up. Dropped calls have numbers too.
	// If several processes make the run, see Config.Ranks, each number is of one call of
	// one of them.
	Number int64
	// Due is when the call was due, in a closed loop when it was sent.
	Due time.Time
}

// Config describes a run. Workers, Schedule and one of Calls and Duration must be
// set, the last only if the Schedule does not end; the zero value of every other
// field is a good choice. No number but Drain may be negative. A run does not change its
// Config, which can be run again.
type Config struct {
	// Workers is the largest number of calls in flight, more than 0. In a closed
	// loop it is the number of callers.
	Workers int
	// Schedule says when calls are due: ClosedLoop, or Constant, Poisson and
	// the others for an open loop.
	Schedule Schedule

	// Rank and Ranks say which part of a run this process makes, if Ranks processes make
	// it together: its call k, from 0, has the number Rank + k·Ranks in the run. Number of
	// Arrival and the draw of a Mix then are those of one process that makes all calls.
	// Rank is from 0 to Ranks-1. With 0 of both the Schedule says: a [Share] knows its
	// numbers, and any other has those of a run of its own. A part of a closed loop
	// needs Rank and Ranks, and so does a Schedule around a Share. Workers, Calls and
	// Schedule are of this process alone.
	Rank, Ranks int

	// Calls ends the run after this number of calls; with 0, Duration or the
	// Schedule ends it.
	Calls int64
	// Duration bounds due times: every call that is due before Duration is over is
	// sent, and in a closed loop every call that can start before then. With 0,
	// Calls or the Schedule ends the run.
	Duration time.Duration
	// Until ends the run early, at the end of the Interval in which the percentile
	// is known to the given precision, but not before 16 batches, which are 100 ms
	// each or shorter, so that they divide Interval. Calls due by then are still sent
	// and counted, as with Duration. If they are slow, Result.Confidence can be wider
	// than the precision, or empty. The zero value never ends a run.
	Until Precision
	// Warmup comes before the run: calls due in it are made and not counted.
	// Calls and Duration begin after it. With 0 the first call counts.
	Warmup time.Duration
	// Drain is how long calls may still be sent and finish after the last one was
	// due: after Duration, after the last of Calls, or after the last of a schedule
	// that ends. After a cancellation no more calls are sent, and those in flight
	// have Drain to finish. When Drain is over, calls not sent count as Dropped, and
	// calls not finished as Failed. A closed loop with Calls ends like that once
	// every worker waits for a call that it made longer ago than Drain; Run returns
	// an error then if there were calls to come. 0 stands for 10 s; with less than 0
	// calls in flight have some 20 ms.
	Drain time.Duration
	// Timeout is the time that each call has from when it is sent. Its context has
	// a deadline then, which costs some 400 ns and 4 allocations a call. An
	// AsyncCall that is not done by then has failed, and its done has no effect any
	// more. With 0 a call gets the run's context unchanged.
	Timeout time.Duration

	// MaxLag drops a call that would be sent later than this after it was due, and
	// MaxBacklog drops a call if more calls than this have been due for longer than Slack
	// and wait to be sent. With 0 of both every call is kept, and response times grow for as
	// long as more calls are due than Workers can make. Open loop only.
	MaxLag     time.Duration
	MaxBacklog int64

	// Slack is how long after its due time a call of an open loop may be sent, so that calls
	// share a wake-up. The lateness is part of Lag and Response. 0 stands for 100 µs;
	// if MaxLag is less than twice the Slack, half of MaxLag is used. Most of what it costs to
	// send a call is to wake up for it: at 10,000 calls/s through net/http a call took 81 µs of
	// CPU with 100 µs, 73 with 300 and 60 with 500. Calls that are farther apart than Slack are
	// sent when the kernel's timer wakes, which is 30 to 100 µs late.
	//
	// With less than 50 µs the generator stays awake until calls are due. It sends them within
	// some microseconds then, reads replies at once as a busy client does, and from 10,000
	// calls/s on takes most of a core. While other programs want that core it sleeps all the
	// same, since a program that stays awake beside others gets its replies later than one
	// that sleeps.
	Slack time.Duration
	// RuntimeTimers waits with timers of package time alone, as fake time (testing/synctest)
	// needs. They are up to 1 ms late for waits of less than 1 ms, and Slack has no effect.
	// Systems other than Linux have no other timers.
	RuntimeTimers bool

	// OnCall tells a worker which call it is about to make. It runs after the time
	// of sending was taken, so the time that OnCall takes is part of the call. It is
	// for calls whose payload belongs to an entry of a Trace, and for responses by
	// endpoint: in the call, time.Since(a.Due) is the response so far. Runs without
	// OnCall do not pay for it.
	OnCall func(worker int, a Arrival)
	// Check judges the reply of the call that a worker has just made, unless the
	// call failed. It runs after the end of the call was taken; its error makes the
	// call a failed one. It is for work that takes too long to be measured as part
	// of a call. The worker makes no other call until Check returns.
	Check func(worker int) error
	// OnStart is called when all workers are ready, right before the first call
	// that counts; with a Warmup, when that is over, while its calls may be in flight.
	// OnStop is called when the last call has ended, or Drain is over, unless the
	// run ended before OnStart was called.
	OnStart, OnStop func()
	// Interval is the time between entries of Result.Series and between calls of
	// OnProgress, from 10 ms to a minute. 0 stands for 1 s.
	Interval time.Duration
	// OnProgress is called once for each entry of Result.Series: after each Interval, up
	// to 35 ms after its end, and should return before the end of the next. For the
	// last, which may be shorter, it is called when the run is over, after OnStop; see
	// Progress.Over. An error that it returns ends the run: no more calls are sent, and
	// Run returns the error and the Result. ErrEnough ends the run as Duration does,
	// without an error.
	OnProgress func(Progress) error
}

// defaultSlack is the Slack of a Config that has none.
const defaultSlack = 100 * time.Microsecond

const (
	defaultDrain    = 10 * time.Second
	defaultInterval = time.Second
	minInterval     = 10 * time.Millisecond // gathering takes some of it
	maxInterval     = time.Minute           // see Record of bank.Bank
)

// withDefaults returns c with its zero values filled in.
func (c Config) withDefaults() Config {
	if c.Drain == 0 {
		c.Drain = defaultDrain
	}
	c.Drain = min(max(c.Drain, 0), never)
	c.Duration, c.Warmup = min(c.Duration, never), min(c.Warmup, never)
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	c.Slack = c.slack()
	return c
}

// slack is the Slack that is used.
func (c Config) slack() time.Duration {
	switch {
	case c.RuntimeTimers:
		return 0
	case c.MaxLag > 0:
		return min(cmp.Or(c.Slack, defaultSlack), c.MaxLag/2)
	}
	return cmp.Or(c.Slack, defaultSlack)
}

// validate says in one sentence what is wrong with c.
func (c Config) validate() error {
	switch {
	case c.Workers <= 0:
		return fmt.Errorf("loadgen: Workers is %d: it must be more than 0", c.Workers)
	case c.Schedule == nil:
		return errors.New("loadgen: no Schedule: choose ClosedLoop, or an open loop such as Constant or Poisson")
	case c.Calls < 0 || c.Duration < 0 || c.Warmup < 0 || c.Timeout < 0 || c.MaxLag < 0 || c.MaxBacklog < 0 || c.Slack < 0:
		return errors.New("loadgen: Calls, Duration, Warmup, Timeout, MaxLag, MaxBacklog and Slack must not be negative")
	case c.Rank < 0 || c.Ranks < 0 || c.Rank >= max(c.Ranks, 1):
		return fmt.Errorf("loadgen: Rank is %d and Ranks %d: the rank must be from 0 to one less than the ranks", c.Rank, c.Ranks)
	case isClosed(c.Schedule) && (c.MaxLag != 0 || c.MaxBacklog != 0):
		return errors.New("loadgen: MaxLag and MaxBacklog are of an open loop: leave them 0 in a ClosedLoop, where nothing waits to be sent")
	case c.Interval != 0 && (c.Interval < minInterval || c.Interval > maxInterval):
		return fmt.Errorf("loadgen: Interval is %v: it must be from %v to %v, or 0 for %v", c.Interval, minInterval, maxInterval, defaultInterval)
	case c.Calls == 0 && c.Duration == 0 && !finite(c.Schedule):
		return errors.New("loadgen: the run would never end: set Calls or Duration, or use a schedule that ends")
	}
	if s, ok := c.Schedule.(validator); ok {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	return c.Until.validate()
}

func finite(s Schedule) bool {
	f, ok := s.(bounded)
	return ok && f.Finite()
}
