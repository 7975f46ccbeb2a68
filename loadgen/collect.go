package loadgen

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"sync"
	"time"
)

// collector gathers what the shards have counted, a step of the run at a time.
// Several steps make an interval, whose calls become a Point of the series.
type collector struct {
	perInterval int           // steps
	stepLength  time.Duration // of all steps but the last of an interval, which may be longer

	response, service, lag, blocked, errors Histogram
	series                                  []Point
	unfinished                              int64

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

// longestStep is how often the counts are gathered at least. It gives a run of two
// seconds the batches that Confidence needs.
const longestStep = 100 * time.Millisecond

// setSteps cuts an interval into equal steps, none longer than longestStep.
func (r *run) setSteps() {
	r.perInterval = int((r.Interval + longestStep - 1) / longestStep)
	r.stepLength = r.Interval / time.Duration(r.perInterval)
}

// stepOf returns the step that a time is in; the warm-up is part of the first.
func (r *run) stepOf(t time.Duration) int {
	t = max(t-r.Warmup, 0)
	return int(t/r.Interval)*r.perInterval + min(int(t%r.Interval/r.stepLength), r.perInterval-1)
}

// stepEnd returns when a step ends.
func (r *run) stepEnd(step int) time.Duration {
	next := step + 1
	return r.Warmup + time.Duration(next/r.perInterval)*r.Interval + time.Duration(next%r.perInterval)*r.stepLength
}

func (r *run) startCollector() {
	r.finish, r.collected = make(chan struct{}), make(chan struct{})
	r.scratch, r.lastFull = scratches.Get().(*scratch), math.MaxInt
	go r.collect()
}

// stopCollector gathers what is left. All workers have ended except those whose
// calls were taken from them, so no more is counted. A last step of less than half
// the length is not added to the batches, which are to be of equal length.
func (r *run) stopCollector() {
	close(r.finish)
	<-r.collected
	end := time.Duration(r.lastDone.Load())
	last := r.stepOf(end)
	if r.lastFull = last; r.stepEnd(last)-end > r.stepLength/2 {
		r.lastFull--
	}
	for first := r.steps; r.steps <= last || r.steps < first+numBanks || r.steps%r.perInterval != 0; {
		r.gather(func() {})
	}
	r.drainTimes()
	for n := len(r.series); n > last/r.perInterval+1 && r.series[n-1].OK+r.series[n-1].Failed == 0; n-- {
		r.series = r.series[:n-1] // a late count may be in an interval after the last
	}
	if r.shardsFree {
		for _, s := range r.shards {
			shards.Put(s)
		}
	}
}

// collect gathers each step a little after its end, so that calls that ended in
// it have been counted.
func (r *run) collect() {
	defer close(r.collected)
	timer := time.NewTimer(never)
	defer timer.Stop()
	for {
		end := r.stepEnd(r.steps) + min(10*time.Millisecond, r.stepLength/4)
		timer.Reset(end - r.now())
		select {
		case <-r.finish:
			return
		case <-timer.C:
		}
		r.gather(r.paceFrom(end))
		if r.steps%r.perInterval == 0 {
			r.drainTimes()
			r.judge()
		}
	}
}

// paceFrom returns a pause to be made between the shards, so that gathering does
// not hold up calls and ends a quarter of a step after it began. A sleep of less
// than a millisecond takes a whole one, so where there are many shards, several are
// gathered between two pauses.
func (r *run) paceFrom(begin time.Duration) (pause func()) {
	gathered := time.Duration(0)
	return func() {
		gathered++
		due := begin + r.stepLength/4*gathered/time.Duration(len(r.shards))
		if ahead := due - r.now(); ahead >= time.Millisecond {
			time.Sleep(ahead)
		}
	}
}

// judge ends the run when enough is known, or when OnProgress says so.
func (r *run) judge() {
	var err error
	if r.OnProgress != nil {
		r.hook("OnProgress", func() { err = r.OnProgress(r.progress()) })
	}
	switch {
	case errors.Is(err, ErrEnough) || err == nil && r.precise(&r.response):
		r.enough()
	case err != nil:
		r.stop(err)
	}
}

// precise reports whether the percentile of Until is known as well as Until asks. The
// percentiles below it take longer to judge, so that its width comes first.
func (r *run) precise(responses *Histogram) bool {
	if r.Until == (Precision{}) {
		return false
	}
	c, err := r.batches.interval(responses, r.Until.Quantile)
	if err != nil || c.width() > r.Until.Within {
		return false
	}
	_, known := r.batches.confidence(responses, r.Until.Quantile)
	return known
}

// enough ends the run as Duration does: calls due by now are still sent, since the
// slowest would be left out otherwise. It leaves the time in endEarly and does not
// take the token, which busy workers may keep from it for any time.
func (r *run) enough() {
	if r.closed {
		r.stop(nil)
		return
	}
	if r.endEarly.CompareAndSwap(int64(never), int64(r.now())) {
		close(r.ending)
		r.wake()
	}
}

// gather takes the counts of the next step, and makes a Point at the end of an
// interval.
func (r *run) gather(pause func()) {
	if r.steps%r.perInterval == 0 {
		r.interval.empty()
	}
	var inUse blocks
	for _, s := range r.shards {
		s.response[r.steps%numBanks].drain(&r.step, &inUse)
		pause()
	}
	r.failed += r.failures.drain(r.steps, &r.step, &r.errors, &inUse)
	if r.steps <= r.lastFull {
		r.batches.add(&r.step)
	}
	r.steps++
	r.step.moveTo(&inUse, &r.response, &r.interval)
	if r.steps%r.perInterval == 0 {
		r.addPoint()
	}
}

func (r *run) addPoint() {
	all := &r.interval
	r.series = append(r.series, Point{
		Start: time.Duration(len(r.series)) * r.Interval, OK: all.total - r.failed, Failed: r.failed,
		P50: all.Quantile(.5), P99: all.Quantile(.99), Max: all.Max(),
	})
	r.failed = 0
}

// drainTimes gathers service and lag, which have no series and need no steps.
func (r *run) drainTimes() {
	var inUse blocks
	for _, s := range r.shards {
		s.service.drain(&r.service, &inUse)
		s.lag.drain(&r.lag, &inUse)
		s.blocked.drain(&r.blocked, &inUse)
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

func (r *run) progress() Progress {
	return Progress{Elapsed: max(r.now()-r.Warmup, 0), Ended: r.response.Count(), Last: r.series[len(r.series)-1], Responses: &r.interval}
}

// failures counts failed calls. A lock is cheap enough, since failures are rare in
// a run that is worth anything.
type failures struct {
	mu        sync.Mutex
	kinds     map[string]int64
	responses [numBanks]map[int]int64 // counts by bucket, as in shard.response
}

// maxKinds bounds the number of error texts that are told apart.
const maxKinds = 20

// particular matches what differs between errors of one kind: ports, numbers of
// calls, sizes, addresses.
var particular = regexp.MustCompile(`0x[0-9a-f]+|[0-9]{4,}`)

func (f *failures) add(err error, response time.Duration, step int) {
	text := particular.ReplaceAllString(err.Error(), "…")
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds = map[string]int64{}
		for i := range f.responses {
			f.responses[i] = map[int]int64{}
		}
	}
	if _, known := f.kinds[text]; !known && len(f.kinds) >= maxKinds {
		text = "other errors"
	}
	f.kinds[text]++
	f.responses[step%numBanks][bucketOf(response)]++
}

// drain moves the responses of a step to both histograms and returns their number.
func (f *failures) drain(step int, all, failed *Histogram, inUse *blocks) (total int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for bucket, n := range f.responses[step%numBanks] {
		all.add(bucket, n)
		failed.add(bucket, n)
		inUse.add(bucket)
		total += n
	}
	clear(f.responses[step%numBanks])
	return total
}

// list returns the kinds, the most frequent first.
func (f *failures) list() []ErrorKind {
	kinds := make([]ErrorKind, 0, len(f.kinds))
	for text, n := range f.kinds {
		kinds = append(kinds, ErrorKind{text, n})
	}
	slices.SortFunc(kinds, func(a, b ErrorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return kinds
}

// result puts the parts together.
func (r *run) result() *Result {
	if !r.closed && r.token.tryLock() {
		r.dropRest()
		r.token.unlock() // a worker whose call comes back late finds no more arrivals
	}
	res := &Result{
		Closed: r.closed, Elapsed: max(time.Duration(r.lastDone.Load())-r.Warmup, 0),
		ErrorKinds: r.failures.list(), Dropped: r.open.dropped + r.notMade.Load(), Series: r.series,
		MaxBacklog: r.open.backlog.maxDepth, MaxLag: r.open.backlog.maxLag,
	}
	move(&res.Response, &r.response)
	move(&res.Service, &r.service)
	move(&res.Lag, &r.lag)
	move(&res.Blocked, &r.blocked)
	move(&res.Errors, &r.errors)
	if r.closed {
		res.Service.Merge(&res.Response)
	}
	res.count()
	res.Parts = r.mixer.list(res)
	res.Confidence = r.confidence(res)
	res.Warnings = r.verdict(res)
	r.scratch.empty()
	scratches.Put(r.scratch)
	return res
}

// count computes the counts from the histograms and from Dropped.
func (r *Result) count() {
	r.Sent, r.Failed = r.Response.Count(), r.Errors.Count()
	r.OK, r.Due = r.Sent-r.Failed, r.Sent+r.Dropped
}

func (r *run) confidence(res *Result) (list []Confidence) {
	for _, q := range r.quantiles() {
		if c, known := r.batches.confidence(&res.Response, q); known {
			list = append(list, c)
		}
	}
	return list
}

// quantiles are the quantiles for which Confidence may have an interval.
func (r *run) quantiles() []float64 {
	list := []float64{.5, .99, .999}
	if q := r.Until.Quantile; q > 0 && !slices.Contains(list, q) {
		list = append(list, q)
	}
	return list
}
