package loadgen

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/sparse"
)

// timeline cuts a run into intervals of Config.Interval, and each of them into equal
// steps, none longer than longestStep.
type timeline struct {
	warmup, interval time.Duration
	perInterval      int           // steps
	stepLength       time.Duration // of all steps but the last of an interval, which may be longer
}

// longestStep is how often the counts are gathered at least. It gives a run of two
// seconds the batches that Confidence needs.
const longestStep = 100 * time.Millisecond

func newTimeline(warmup, interval time.Duration) timeline {
	n := (interval + longestStep - 1) / longestStep
	return timeline{warmup, interval, int(n), interval / n}
}

// stepOf returns the step that a time is in; the warm-up is part of the first.
func (l *timeline) stepOf(t time.Duration) int {
	t = max(t-l.warmup, 0)
	return int(t/l.interval)*l.perInterval + min(int(t%l.interval/l.stepLength), l.perInterval-1)
}

// stepEnd returns when a step ends.
func (l *timeline) stepEnd(step int) time.Duration {
	next := step + 1
	return l.warmup + time.Duration(next/l.perInterval)*l.interval + time.Duration(next%l.perInterval)*l.stepLength
}

// recording is where the calls of a run are counted, by whoever sees them end. Those of a mix
// are counted by its parts.
type recording struct {
	timeline
	closed     bool // service is the response then, and there is no lag
	shards     []*shard
	failures   failures
	unfinished int64        // calls that did not return, those of the warm-up too
	notMade    atomic.Int64 // arrivals taken by workers that might not start a call any more
	lastDone   atomic.Int64 // ns
}

// record counts a call, unless it was part of the warm-up. It counts in the step of
// the time at which the worker is free, since Check may take longer than a step.
func (r *recording) record(w *worker, due, done, free time.Duration, err error) {
	w.last, w.service = done, done-w.sent
	if due < r.warmup {
		return
	}
	if free >= w.boundary {
		r.enter(w, r.stepOf(free))
	}
	response := done - due
	if w.part != nil {
		w.part.record(w, response, err, r.closed)
		return
	}
	if err == nil {
		w.bank.record(bucketOf(response))
	} else {
		response = max(response, w.atLeast)
		r.failures.add(err, response, w.step)
	}
	if !r.closed {
		w.shard.service.record(bucketOf(w.service))
		w.shard.lag.record(bucketOf(w.sent - due))
	}
}

// enter makes a worker's calls count in a step.
func (r *recording) enter(w *worker, step int) {
	w.step, w.boundary = step, r.stepEnd(step)
	if w.shard != nil {
		w.bank = &w.shard.response[step%numBanks]
	}
}

// recordUnfinished counts a call that was taken from its worker.
func (r *recording) recordUnfinished(w *worker, due, now time.Duration) {
	r.unfinished++
	if due >= r.warmup {
		f := &r.failures
		if w.part != nil {
			f = &w.part.failures
		}
		f.add(errUnfinished, now-due, r.stepOf(now))
	}
}

// leaveOut counts an arrival that a worker took but may not call any more.
func (r *recording) leaveOut(w *worker, due time.Duration) {
	if !r.closed && due >= r.warmup {
		r.notMade.Add(1)
		w.part.drop()
	}
}

func storeMax(a *atomic.Int64, v int64) {
	for old := a.Load(); v > old && !a.CompareAndSwap(old, v); old = a.Load() {
	}
}

// tally is what was gathered of a run, or of one part of a mix.
type tally struct {
	response, service, lag, blocked, errors Histogram
	series                                  []Point
	longest                                 int           // bucket of the longest response so far
	longestAt                               time.Duration // the end of the step in which it ended
	failed                                  int64         // failed calls of the interval under way
	*window
}

// window is what a tally has of the time under way. It is kept from run to run.
type window struct {
	interval sparse.Counts // responses of the interval under way, by bucket
	batches  batches
}

var windows = sync.Pool{New: func() any { return new(window) }}

func (w *window) empty() {
	w.interval.Empty()
	w.batches.empty()
}

// add adds the responses of a step, which are in the blocks in use. It notes the end of the
// step in which the longest ended: calls cost nothing for it.
func (t *tally) add(step *Histogram, inUse *blocks, failed int64, end time.Duration) {
	t.failed += failed
	inUse.each(func(i int) {
		n := step.counts[i]
		if n == 0 {
			return
		}
		t.response.add(i, n)
		t.interval.Add(i, n)
		if i > t.longest {
			t.longest, t.longestAt = i, end
		}
	})
}

// addPoint makes a Point of the interval that has ended.
func (t *tally) addPoint(start, length time.Duration) {
	p := Point{Start: start, Length: length, OK: t.interval.Total() - t.failed, Failed: t.failed}
	p.P50, p.P90, p.P99, p.Max = t.quantile(.5), t.quantile(.9), t.quantile(.99), t.quantile(1)
	t.series = append(t.series, p)
	t.interval.Empty()
	t.failed = 0
}

// quantile is Histogram.Quantile of the interval.
func (t *tally) quantile(q float64) time.Duration {
	want := rank(q, t.interval.Total())
	for i, n := range t.interval.From(0) {
		if want -= n; want <= 0 {
			return bucketHigh(i)
		}
	}
	return 0
}

// ended is how many calls ended in an interval.
func (t *tally) ended(interval int) int64 { return t.series[interval].OK + t.series[interval].Failed }

// mergeTimes adds what has no steps.
func (t *tally) mergeTimes(other *tally) {
	t.service.Merge(&other.service)
	t.lag.Merge(&other.lag)
	t.errors.Merge(&other.errors)
}

// result gives what was gathered to a Result, whose Closed and Elapsed are set.
func (t *tally) result(res *Result, warmup time.Duration) *Result {
	move(&res.Response, &t.response)
	move(&res.Service, &t.service)
	move(&res.Lag, &t.lag)
	move(&res.Blocked, &t.blocked)
	move(&res.Errors, &t.errors)
	if res.Closed {
		res.Service.Merge(&res.Response)
	}
	res.count()
	res.Series = t.series
	if res.Sent > 0 {
		res.MaxAt = min(max(t.longestAt-warmup, 0), res.Elapsed)
	}
	return res
}

// confidence lists the intervals of the quantiles that are known.
func (b *batches) confidences(responses *Histogram, quantiles []float64) (list []Confidence) {
	for _, q := range quantiles {
		if in, known := b.confidence(responses, q); known {
			list = append(list, in)
		}
	}
	return list
}
