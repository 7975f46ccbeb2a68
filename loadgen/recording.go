package loadgen

import (
	"sync/atomic"
	"time"
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
	if err != nil {
		response = max(response, w.atLeast)
	}
	if w.part != nil {
		w.part.record(w.step, response, err)
		if !r.closed {
			w.part.recordTimes(w.service, w.sent-due)
		}
		return
	}
	if err == nil {
		w.bank.record(bucketOf(response))
	} else {
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
