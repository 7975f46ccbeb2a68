package loadgen

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// Result is what a run measured. Due is always Sent + Dropped, and Sent is OK +
// Failed. A Result must not be copied, since it holds histograms. fmt.Println of
// a *Result prints the report of String.
//
// In JSON a Result loses nothing: histograms are strings, see
// [Histogram.MarshalText], and times are in nanoseconds. Give encoding/json a
// pointer, since histograms are written by a method of *Histogram. For programs that do not
// read histograms there is a key summary, which is computed when a Result is written and
// ignored when it is read. It has offered_per_s (open loop), goodput_per_s, error_ratio (failed
// over sent), and for each of response, service, lag and errors with values mean_ns, min_ns,
// max_ns, and p50_ns, p90_ns, p95_ns, p99_ns and p99_9_ns as far as there are enough calls, see
// [Histogram.EnoughFor]. Each of parts has it too. Of a file of package record,
//
//	jq '.result.summary.response.p99_ns, .result.series[].p99_ns'
//
// prints p99 of the run and of each interval.
type Result struct {
	// Closed is whether the run was a closed loop, which has no due times:
	// Service is then the same as Response, and Lag is empty.
	Closed bool `json:"closed"`
	// Elapsed is the time from the start of the run, after Warmup, to the end
	// of its last call.
	Elapsed time.Duration `json:"elapsed_ns"`

	Due     int64 `json:"due"`     // calls that the schedule asked for
	Sent    int64 `json:"sent"`    // calls made
	OK      int64 `json:"ok"`      // calls that returned no error
	Failed  int64 `json:"failed"`  // calls that returned an error, or did not return within Drain
	Dropped int64 `json:"dropped"` // calls due and not sent: see Config.Drain, MaxLag and MaxBacklog

	Response Histogram `json:"response,omitzero"` // done − due of every call sent: what a user waits
	Service  Histogram `json:"service,omitzero"`  // done − sent of every call that returned
	Lag      Histogram `json:"lag,omitzero"`      // sent − due of every call that returned
	Errors   Histogram `json:"errors,omitzero"`   // Response of the failed calls alone
	// Blocked is for how long flow control held each message of a Carrier: from when it
	// was handed over to when it was sent. It is part of Service, and empty without a
	// Carrier.
	Blocked Histogram `json:"blocked,omitzero"`

	// ErrorKinds counts the failed calls by the first 256 bytes of the text of their
	// error, the most frequent first. Long numbers in a text, such as ports, are
	// replaced by "…", so that errors which differ in nothing else are one kind. At most
	// 20 kinds are told apart, and 200 after Merge; what is left counts as "other
	// errors".
	ErrorKinds []ErrorKind `json:"error_kinds,omitzero"`
	// MaxBacklog is about the largest number of calls that had been due for longer than
	// Slack and were not yet sent at one time, and MaxLag is the longest that a call waited
	// to be sent.
	// Both are without the warm-up, and 0 in a closed loop.
	MaxBacklog int64         `json:"max_backlog"`
	MaxLag     time.Duration `json:"max_lag_ns"`

	// Parts has a Result for each call of a Mix.
	Parts []Part `json:"parts,omitzero"`

	// Confidence has the 95 % intervals of p50, p99 and p99.9 of Response, and of
	// the percentile of Config.Until. A percentile is left out if there are too few
	// calls, if the run is too short for how slowly its latency fluctuates, or if a
	// lower percentile has none: see Confidence and ErrFluctuates.
	Confidence []Confidence `json:"confidence,omitzero"`

	// MaxAt is when the longest call, that of Response.Max, ended: the time from the start of
	// the run, to within 100 ms. After Merge it is of the longest of all. The report has it
	// where that call took 100 times p99, which then does not show it.
	MaxAt time.Duration `json:"max_at_ns,omitzero"`

	Series []Point `json:"series,omitzero"` // one entry per Config.Interval, up to the last in which a call ended
	// Warnings are reasons not to trust this run; empty if there are none. errors.Is tells
	// their kinds apart, ErrGenerator and the others, also after they were read from a file.
	Warnings []error `json:"warnings,omitzero"`
}

// Part is what was measured of one call of a Mix.
type Part struct {
	Name string `json:"name"`
	// Result has Elapsed of the whole run, and counts, histograms, ErrorKinds, Series,
	// Confidence of p50, p99 and p99.9, and MaxAt of this call. Its points have the Starts of
	// those of the whole, and their counts add up to no more. Only the Result of the whole
	// has the rest, such as Warnings.
	Result *Result `json:"result"`
}

// ErrorKind is the text of an error, and the number of calls that failed with it.
type ErrorKind struct {
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// Point counts the calls that ended in one interval of a run. In JSON it also has ok_per_s
// and failed_per_s, if Length is not 0.
type Point struct {
	Start time.Duration `json:"start_ns"` // from the start of the run
	// Length is Config.Interval, and less for the last interval of a run, which ends with the
	// last call: 0 if that ended at Start. Files of earlier versions have no Length. After
	// Merge it is the longer of the two.
	Length time.Duration `json:"length_ns,omitzero"`
	OK     int64         `json:"ok"`
	Failed int64         `json:"failed"`
	// P50, P90, P99 and Max are percentiles and maximum of the responses, and 0 in an
	// interval without any. Merge sets the percentiles to 0 where both points have
	// calls. Files of earlier versions have no P90.
	P50 time.Duration `json:"p50_ns,omitzero"`
	P90 time.Duration `json:"p90_ns,omitzero"`
	P99 time.Duration `json:"p99_ns,omitzero"`
	Max time.Duration `json:"max_ns,omitzero"`
}

// Progress is the state of a run under way.
type Progress struct {
	Elapsed time.Duration // since the start of the run, after Warmup
	Ended   int64         // calls that have ended, without those of the warm-up
	Last    Point         // the interval that has just passed
	// Responses holds the responses of Last. OnProgress may read them until it
	// returns, and must not change them.
	Responses *Histogram
	// Over is set when all calls of the run have ended, and Last is the interval in which
	// the run ended, which may be shorter than Config.Interval.
	Over bool
}

// ErrEnough is what Config.OnProgress returns when nothing more needs to be
// measured.
var ErrEnough = errors.New("enough was measured")

// Failures lists the kinds of failed calls in one line, which is empty if no call
// failed. Line breaks and what a terminal obeys are shown as in a Go string.
func (r *Result) Failures() string { return strings.Join(r.failures(), "; ") }

func (r *Result) failures() []string {
	kinds := make([]string, len(r.ErrorKinds))
	for i, k := range r.ErrorKinds {
		kinds[i] = fmt.Sprintf("%d × %s", k.Count, foreign.Line(k.Text))
	}
	return kinds
}

// Goodput returns how many calls per second returned no error; 0 if Elapsed is 0.
func (r *Result) Goodput() float64 { return figure.PerSecond(r.OK, r.Elapsed) }

// count computes the counts from the histograms and from Dropped.
func (r *Result) count() {
	r.Sent, r.Failed = r.Response.Count(), r.Errors.Count()
	r.OK, r.Due = r.Sent-r.Failed, r.Sent+r.Dropped
}
