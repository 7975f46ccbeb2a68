package loadgen

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Result is what a run measured. Due is Sent + Dropped and Sent is OK +
// Failed, always. In JSON it loses nothing: histograms are strings, see
// Histogram.MarshalText, and times are in nanoseconds.
type Result struct {
	// Closed is whether the run was a closed loop. It then has no due times:
	// Service is Response, and Lag is empty.
	Closed bool `json:"closed"`
	// Elapsed is from the start of the run, after Warmup, to the end of its
	// last call.
	Elapsed time.Duration `json:"elapsed_ns"`

	Due     int64 `json:"due"`     // calls that the schedule asked for
	Sent    int64 `json:"sent"`    // calls made
	OK      int64 `json:"ok"`      // calls that returned no error
	Failed  int64 `json:"failed"`  // calls that returned one, or did not return within Drain
	Dropped int64 `json:"dropped"` // calls due and not sent: see Config.Drain, MaxLag and MaxBacklog

	Response Histogram `json:"response,omitzero"` // done − due of every call sent: what a user waits
	Service  Histogram `json:"service,omitzero"`  // done − sent of every call that returned
	Lag      Histogram `json:"lag,omitzero"`      // sent − due of every call that returned
	Errors   Histogram `json:"errors,omitzero"`   // Response of the failed calls alone

	// ErrorKinds counts the failed calls by the text of their error, in which
	// longer numbers, as of ports, are replaced by "…".
	ErrorKinds []ErrorKind `json:"error_kinds,omitzero"`
	// MaxBacklog is the most calls that were due and not sent at one time, and
	// MaxLag how late the oldest of them was.
	MaxBacklog int64         `json:"max_backlog"`
	MaxLag     time.Duration `json:"max_lag_ns"`

	// Parts has a Result for each call of a Mix.
	Parts []Part `json:"parts,omitzero"`

	// Confidence is how well p50, p99 and p99.9 of Response are known, each if
	// there are calls enough to say. It needs 16 Intervals.
	Confidence []Confidence `json:"confidence,omitzero"`

	Series   []Point  `json:"series,omitzero"`   // one entry per Config.Interval that a call ended in or before the last
	Warnings Warnings `json:"warnings,omitzero"` // why not to trust this run; empty if nothing was seen
}

// ErrorKind is a kind of failure: its text, and how many calls failed so.
type ErrorKind struct {
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// Point is what ended in one interval of a run.
type Point struct {
	Start  time.Duration `json:"start_ns"` // from the start of the run
	OK     int64         `json:"ok"`
	Failed int64         `json:"failed"`
	// Of the responses; 0 when there were none, see Merge.
	P50 time.Duration `json:"p50_ns,omitzero"`
	P99 time.Duration `json:"p99_ns,omitzero"`
	Max time.Duration `json:"max_ns,omitzero"`
}

// Progress is the state of a run under way.
type Progress struct {
	Elapsed time.Duration
	Ended   int64 // calls that have ended, but for those of the warm-up
	Last    Point // the interval that has just passed
	// Responses are those of Last. They are only to be read, and only until
	// Progress returns.
	Responses *Histogram
}

// ErrEnough is what Config.OnProgress returns when nothing more needs to be
// measured.
var ErrEnough = errors.New("enough was measured")

// Failures lists the kinds of failed calls in one line; it is empty when none
// failed.
func (r *Result) Failures() string {
	kinds := make([]string, len(r.ErrorKinds))
	for i, k := range r.ErrorKinds {
		kinds[i] = fmt.Sprintf("%d × %s", k.Count, k.Text)
	}
	return strings.Join(kinds, "; ")
}

// Goodput returns the calls per second that returned no error.
func (r *Result) Goodput() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.OK) / r.Elapsed.Seconds()
}
