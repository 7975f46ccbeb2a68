package loadgen

import (
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
)

// collector gathers what the shards have counted, a step of the run at a time.
// Several steps make an interval, whose calls become a Point of the series. The calls of
// a mix are counted by its parts alone, and the whole is their sum.
type collector struct {
	*course
	*recording
	whole tally
	parts []*part // of a mix

	*scratch
	steps    int // gathered so far
	lastFull int // the last step that is long enough for a batch

	end time.Duration // of the last call; never while calls may be made

	finish, collected chan struct{}
}

// scratch holds what a collector works with and leaves empty. Like the shards it
// is kept from run to run.
type scratch struct {
	step     Histogram // responses of one step
	partStep Histogram // those of one part
	interval Histogram // responses of the last interval, for OnProgress
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) empty() {
	s.step.empty()
	s.partStep.empty()
	s.interval.empty()
}

func (c *collector) start(on *course, r *recording, parts []*part) {
	c.course, c.recording, c.parts = on, r, parts
	c.finish, c.collected = make(chan struct{}), make(chan struct{})
	c.scratch, c.lastFull, c.end = scratches.Get().(*scratch), math.MaxInt, never
	for _, t := range c.tallies() {
		t.window = windows.Get().(*window)
	}
	go c.collect()
}

// tallies returns what is counted of the whole and of each part.
func (c *collector) tallies() []*tally {
	list := []*tally{&c.whole}
	for _, p := range c.parts {
		list = append(list, &p.tally)
	}
	return list
}

// stop gathers what is left. All workers have ended except those whose calls were taken
// from them, so no more is counted. If free, no worker is left, and the next run may use the
// shards. A last step of less than half the length is not added to the batches, which are to
// be of equal length.
func (c *collector) stop(free bool) {
	close(c.finish)
	<-c.collected
	c.end = time.Duration(c.LastDone.Load())
	last := c.StepOf(c.end)
	if c.lastFull = last; c.StepEnd(last)-c.end > c.StepLength/2 {
		c.lastFull--
	}
	c.gatherRest(last)
	for _, p := range c.parts {
		c.whole.mergeTimes(&p.tally)
	}
	if !free {
		return
	}
	for _, s := range c.Shards {
		s.Free()
	}
	for _, p := range c.parts {
		p.shard.Free()
	}
}

// gatherRest gathers the steps up to the last, and those after it in which a late count may
// be. An interval after the last is one of the series only if it has calls. Where no call has
// ended for some time, the run ends in an interval after the last.
func (c *collector) gatherRest(last int) {
	over := max(last, c.steps)/c.PerInterval + 1 // the number of intervals
	for first := c.steps; c.steps <= last || c.steps < first+bank.Steps || c.steps%c.PerInterval != 0; {
		c.gather(func() {})
		if n := len(c.whole.series); c.steps%c.PerInterval == 0 && (n <= over || c.whole.ended(n-1) > 0) {
			c.tellLast(n >= over)
		}
	}
	c.drainTimes()
	n := len(c.whole.series)
	for n > last/c.PerInterval+1 && c.whole.ended(n-1) == 0 {
		n--
	}
	for _, t := range c.tallies() {
		t.series = t.series[:n]
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
		end := c.StepEnd(c.steps) + min(10*time.Millisecond, c.StepLength/4)
		timer.Reset(end - c.Now())
		select {
		case <-c.finish:
			return
		case <-timer.C:
		}
		c.gather(c.paceFrom(end))
		if c.steps%c.PerInterval == 0 {
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
		due := begin + c.StepLength/4*gathered/time.Duration(len(c.Shards)+len(c.parts))
		if ahead := due - c.Now(); ahead >= time.Millisecond {
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
	case errors.Is(err, ErrEnough) || err == nil && c.precise(&c.whole.response):
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
	in, err := c.whole.batches.interval(responses, c.Until.Quantile)
	if err != nil || in.width() > c.Until.Within {
		return false
	}
	_, known := c.whole.batches.confidence(responses, c.Until.Quantile)
	return known
}

// gather takes the counts of the next step, and makes a Point at the end of an
// interval.
func (c *collector) gather(pause func()) {
	var inUse bucket.Blocks
	for _, s := range c.Shards {
		c.step.drain(&s.Response[c.steps%bank.Steps], &inUse)
		pause()
	}
	failed := drainFailures(&c.Failures, c.steps, &c.step, &c.whole.errors, &inUse)
	for _, p := range c.parts {
		failed += c.gatherPart(p, &inUse)
		pause()
	}
	c.addStep(&c.whole, &c.step, &inUse, failed)
	c.step.moveTo(&inUse)
	if c.steps++; c.steps%c.PerInterval == 0 {
		c.addPoints()
	}
}

// drainFailures moves the responses of a step to both histograms and returns their number.
func drainFailures(f *failure.Calls, step int, all, failed *Histogram, inUse *bucket.Blocks) (total int64) {
	f.Drain(step, func(i int, n int64) {
		all.add(i, n)
		failed.add(i, n)
		inUse.Add(i)
		total += n
	})
	return total
}

// gatherPart adds a step of a part to the part, and to that of the whole.
func (c *collector) gatherPart(p *part, inUse *bucket.Blocks) (failed int64) {
	var here bucket.Blocks
	c.partStep.drain(&p.shard.Response[c.steps%bank.Steps], &here)
	failed = drainFailures(&p.failures, c.steps, &c.partStep, &p.errors, &here)
	c.addStep(&p.tally, &c.partStep, &here, failed)
	c.partStep.moveTo(&here, &c.step)
	for i, set := range here {
		inUse[i] |= set
	}
	return failed
}

// addStep adds the responses of a step, which are in the blocks in use.
func (c *collector) addStep(t *tally, step *Histogram, inUse *bucket.Blocks, failed int64) {
	t.add(step, inUse, failed, c.StepEnd(c.steps))
	if c.steps <= c.lastFull {
		t.batches.add(step, inUse)
	}
}

// addPoints makes the Points of the interval that has ended.
func (c *collector) addPoints() {
	if c.OnProgress != nil {
		c.interval.empty()
		for i, n := range c.whole.interval.From(0) {
			c.interval.add(i, n)
		}
	}
	start := time.Duration(len(c.whole.series)) * c.Interval
	length := min(c.Interval, max(c.end-c.Warmup-start, 0))
	for _, t := range c.tallies() {
		t.addPoint(start, length)
	}
}

// drainTimes gathers service and lag, which have no series and need no steps.
func (c *collector) drainTimes() {
	var inUse bucket.Blocks
	for _, s := range c.Shards {
		c.whole.service.drain(&s.Service, &inUse)
		c.whole.lag.drain(&s.Lag, &inUse)
		c.whole.blocked.drain(&s.Blocked, &inUse)
	}
	for _, p := range c.parts {
		p.service.drain(&p.shard.Service, &inUse)
		p.lag.drain(&p.shard.Lag, &inUse)
	}
}

// moveTo adds the counts of h, which are in the blocks, to others and empties h.
func (h *Histogram) moveTo(inUse *bucket.Blocks, others ...*Histogram) {
	inUse.Each(func(i int) {
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
	series := c.whole.series
	return Progress{Elapsed: max(c.Now()-c.Warmup, 0), Ended: c.whole.response.Count(), Last: series[len(series)-1], Responses: &c.interval}
}

// quantiles are the quantiles for which Confidence may have an interval: those of a part, and
// that of Until.
func (c *collector) quantiles() []float64 {
	list := quantilesOfParts()
	if q := c.Until.Quantile; q > 0 && !slices.Contains(list, q) {
		list = append(list, q)
	}
	return list
}

// free gives back what the next run can use.
func (c *collector) free() {
	c.scratch.empty()
	scratches.Put(c.scratch)
	for _, t := range c.tallies() {
		t.window.empty()
		windows.Put(t.window)
	}
}
