package loadgen

import (
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/rpcbench/rpcbench/loadgen/internal/ledger"
)

// recording is where the calls of a run are counted, by whoever sees them end. Those of a mix
// are counted by its parts.
type recording struct {
	ledger.Book
	closed     bool  // service is the response then, and there is no lag
	unfinished int64 // calls that did not return, those of the warm-up too
}

// record counts a call, unless it was part of the warm-up. It counts in the step of
// the time at which the worker is free, since Check may take longer than a step.
func (r *recording) record(w *worker, due, done, free time.Duration, err error) {
	w.last, w.service = done, done-w.sent
	if due < r.Warm {
		return
	}
	if free >= w.boundary {
		r.enter(w, r.StepOf(free))
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
		w.bank.Record(bucket.Of(response))
	} else {
		r.Failures.Add(err, response, w.step)
	}
	if !r.closed {
		w.shard.Service.Record(bucket.Of(w.service))
		w.shard.Lag.Record(bucket.Of(w.sent - due))
	}
}

// enter makes a worker's calls count in a step.
func (r *recording) enter(w *worker, step int) {
	w.step, w.boundary = step, r.StepEnd(step)
	if w.shard != nil {
		w.bank = &w.shard.Response[step%bank.Steps]
	}
}

// recordUnfinished counts a call that was taken from its worker.
func (r *recording) recordUnfinished(w *worker, due, now time.Duration) {
	r.unfinished++
	if due >= r.Warm {
		f := &r.Failures
		if w.part != nil {
			f = &w.part.failures
		}
		f.Add(errUnfinished, now-due, r.StepOf(now))
	}
}

// leaveOut counts an arrival that a worker took but may not call any more.
func (r *recording) leaveOut(w *worker, due time.Duration) {
	if !r.closed && due >= r.Warm {
		r.NotMade.Add(1)
		w.part.drop()
	}
}
