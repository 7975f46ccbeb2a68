package loadgen

import (
	"errors"
	"time"
)

// Result is what a run measured. Due is Sent + Dropped and Sent is OK +
// Failed, always.
type Result struct {
	// Closed is whether the run was a closed loop. It then has no due times:
	// Service is Response, and Lag is empty.
	Closed bool
	// Elapsed is from the start of the run, after Warmup, to the end of its
	// last call.
	Elapsed time.Duration

	Due     int64 // calls that the schedule asked for
	Sent    int64 // calls made
	OK      int64 // calls that returned no error
	Failed  int64 // calls that returned one, or did not return within Drain
	Dropped int64 // calls due and not sent: see Config.Drain, MaxLag and MaxBacklog

	Response Histogram // done − due of every call sent: what a user waits
	Service  Histogram // done − sent of every call that returned
	Lag      Histogram // sent − due of every call that returned
	Errors   Histogram // Response of the failed calls alone

	// ErrorKinds counts the failed calls by the text of their error, in which
	// longer numbers, as of ports, are replaced by "…".
	ErrorKinds []ErrorKind
	// MaxBacklog is the most calls that were due and not sent at one time, and
	// MaxLag how late the oldest of them was.
	MaxBacklog int64
	MaxLag     time.Duration

	// Confidence is how well p50, p99 and p99.9 of Response are known, each if
	// there are calls enough to say. It needs 16 Intervals.
	Confidence []Confidence

	Series   []Interval // one entry per Config.Interval that a call ended in or before the last
	Warnings []error    // why not to trust this run; empty if nothing was seen
}

// ErrorKind is a kind of failure: its text, and how many calls failed so.
type ErrorKind struct {
	Text  string
	Count int64
}

// Interval is what ended in one interval of a run.
type Interval struct {
	Start         time.Duration // from the start of the run
	OK, Failed    int64
	P50, P99, Max time.Duration // of the responses; 0 when there were none, see Merge
}

// Progress is the state of a run under way.
type Progress struct {
	Elapsed time.Duration
	Ended   int64    // calls that have ended, but for those of the warm-up
	Last    Interval // the interval that has just passed
	// Responses are those of Last. They are only to be read, and only until
	// Progress returns.
	Responses *Histogram
}

// ErrEnough is what Config.Progress returns when nothing more needs to be
// measured.
var ErrEnough = errors.New("enough was measured")

// Goodput returns the calls per second that returned no error.
func (r *Result) Goodput() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.OK) / r.Elapsed.Seconds()
}
