package loadgen

import (
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

// collector gathers what the shards have counted, a step of the run at a time.
// Several steps make an interval, whose calls become a Point of the series.
type collector struct {
	*course
	*recording

	response, service, lag, blocked, errors Histogram
	series                                  []Point
	longest                                 int           // bucket of the longest response so far
	longestAt                               time.Duration // the end of the step in which it ended

	*scratch
	steps    int   // gathered so far
	lastFull int   // the last step that is long enough for a batch
	failed   int64 // failed calls of the interval under way

	finish, collected chan struct{}
}

// scratch holds what a collector works with and leaves empty. Like the shards it
// is kept from run to run.
type scratch struct {
	step     Histogram // responses of one step
	interval Histogram // responses of the interval under way
	batches  batches
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) empty() {
	s.step.empty()
	s.interval.empty()
	s.batches.empty()
}

func (c *collector) start(on *course, r *recording) {
	c.course, c.recording = on, r
	c.finish, c.collected = make(chan struct{}), make(chan struct{})
	c.scratch, c.lastFull = scratches.Get().(*scratch), math.MaxInt
	go c.collect()
}

// stop gathers what is left. All workers have ended except those whose calls were taken
// from them, so no more is counted. If free, no worker is left, and the next run may use the
// shards. A last step of less than half the length is not added to the batches, which are to
// be of equal length.
func (c *collector) stop(free bool) {
	close(c.finish)
	<-c.collected
	end := time.Duration(c.lastDone.Load())
	last := c.stepOf(end)
	if c.lastFull = last; c.stepEnd(last)-end > c.stepLength/2 {
		c.lastFull--
	}
	c.gatherRest(last)
	if free {
		for _, s := range c.shards {
			shards.Put(s)
		}
	}
}

// gatherRest gathers the steps up to the last, and those after it in which a late count may
// be. An interval after the last is one of the series only if it has calls. Where no call has
// ended for some time, the run ends in an interval after the last.
func (c *collector) gatherRest(last int) {
	over := max(last, c.steps)/c.perInterval + 1 // the number of intervals
	for first := c.steps; c.steps <= last || c.steps < first+numBanks || c.steps%c.perInterval != 0; {
		c.gather(func() {})
		if n := len(c.series); c.steps%c.perInterval == 0 && (n <= over || c.interval.total > 0) {
			c.tellLast(n >= over)
		}
	}
	c.drainTimes()
	for n := len(c.series); n > last/c.perInterval+1 && c.series[n-1].OK+c.series[n-1].Failed == 0; n-- {
		c.series = c.series[:n-1]
	}
}

// tellLast calls OnProgress with an interval when all calls have ended, from a goroutine that it
// may end, as those before were. If over, the run ended in the interval; the one before may not
// have been told of by then.
func (c *collector) tellLast(over bool) {
	if c.OnProgress == nil {
		return
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		p := c.progress()
		p.Over = over
		c.hook("OnProgress", func() {
			if err := c.OnProgress(p); err != nil && !errors.Is(err, ErrEnough) {
				c.course.stop(err)
			}
		})
	}()
	<-told
}

// collect gathers each step a little after its end, so that calls that ended in
// it have been counted.
func (c *collector) collect() {
	defer close(c.collected)
	timer := time.NewTimer(never)
	defer timer.Stop()
	for {
		end := c.stepEnd(c.steps) + min(10*time.Millisecond, c.stepLength/4)
		timer.Reset(end - c.now())
		select {
		case <-c.finish:
			return
		case <-timer.C:
		}
		c.gather(c.paceFrom(end))
		if c.steps%c.perInterval == 0 {
			c.drainTimes()
			c.judge()
		}
	}
}

// paceFrom returns a pause to be made between the shards, so that gathering does
// not hold up calls and ends a quarter of a step after it began. A sleep of less
// than a millisecond takes a whole one, so where there are many shards, several are
// gathered between two pauses.
func (c *collector) paceFrom(begin time.Duration) (pause func()) {
	gathered := time.Duration(0)
	return func() {
		gathered++
		due := begin + c.stepLength/4*gathered/time.Duration(len(c.shards))
		if ahead := due - c.now(); ahead >= time.Millisecond {
			time.Sleep(ahead)
		}
	}
}

// judge ends the run when enough is known, or when OnProgress says so.
func (c *collector) judge() {
	var err error
	if c.OnProgress != nil {
		c.hook("OnProgress", func() { err = c.OnProgress(c.progress()) })
	}
	switch {
	case errors.Is(err, ErrEnough) || err == nil && c.precise(&c.response):
		c.enough()
	case err != nil:
		c.course.stop(err)
	}
}

// precise reports whether the percentile of Until is known as well as Until asks. The
// percentiles below it take longer to judge, so that its width comes first.
func (c *collector) precise(responses *Histogram) bool {
	if c.Until == (Precision{}) {
		return false
	}
	in, err := c.batches.interval(responses, c.Until.Quantile)
	if err != nil || in.width() > c.Until.Within {
		return false
	}
	_, known := c.batches.confidence(responses, c.Until.Quantile)
	return known
}

// gather takes the counts of the next step, and makes a Point at the end of an
// interval.
func (c *collector) gather(pause func()) {
	if c.steps%c.perInterval == 0 {
		c.interval.empty()
	}
	var inUse blocks
	for _, s := range c.shards {
		s.response[c.steps%numBanks].drain(&c.step, &inUse)
		pause()
	}
	c.failed += c.failures.drain(c.steps, &c.step, &c.errors, &inUse)
	if c.steps <= c.lastFull {
		c.batches.add(&c.step)
	}
	c.noteLongest(&inUse)
	c.steps++
	c.step.moveTo(&inUse, &c.response, &c.interval)
	if c.steps%c.perInterval == 0 {
		c.addPoint()
	}
}

// noteLongest notes when the longest response ended, to within a step. It looks at blocks
// with counts of this step, and from the longest so far on, so that it costs next to nothing,
// and calls cost nothing.
func (c *collector) noteLongest(inUse *blocks) {
	inUse.each(func(i int) {
		if i > c.longest && c.step.counts[i] != 0 {
			c.longest, c.longestAt = i, c.stepEnd(c.steps)
		}
	})
}

func (c *collector) addPoint() {
	all := &c.interval
	c.series = append(c.series, Point{
		Start: time.Duration(len(c.series)) * c.Interval, OK: all.total - c.failed, Failed: c.failed,
		P50: all.Quantile(.5), P99: all.Quantile(.99), Max: all.Max(),
	})
	c.failed = 0
}

// drainTimes gathers service and lag, which have no series and need no steps.
func (c *collector) drainTimes() {
	var inUse blocks
	for _, s := range c.shards {
		s.service.drain(&c.service, &inUse)
		s.lag.drain(&c.lag, &inUse)
		s.blocked.drain(&c.blocked, &inUse)
	}
}

// moveTo adds the counts of h, which are in the blocks, to others and empties h.
func (h *Histogram) moveTo(inUse *blocks, others ...*Histogram) {
	inUse.each(func(i int) {
		if n := h.counts[i]; n != 0 {
			for _, other := range others {
				other.add(i, n)
			}
			h.counts[i] = 0
		}
	})
	h.total = 0
}

func (c *collector) progress() Progress {
	return Progress{Elapsed: max(c.now()-c.Warmup, 0), Ended: c.response.Count(), Last: c.series[len(c.series)-1], Responses: &c.interval}
}

func (c *collector) confidence(res *Result) (list []Confidence) {
	for _, q := range c.quantiles() {
		if in, known := c.batches.confidence(&res.Response, q); known {
			list = append(list, in)
		}
	}
	return list
}

// quantiles are the quantiles for which Confidence may have an interval.
func (c *collector) quantiles() []float64 {
	list := []float64{.5, .99, .999}
	if q := c.Until.Quantile; q > 0 && !slices.Contains(list, q) {
		list = append(list, q)
	}
	return list
}

// free gives back what the next run can use.
func (c *collector) free() {
	c.scratch.empty()
	scratches.Put(c.scratch)
}
