package loadgen

import (
	"errors"
	"fmt"
	"time"
)

// ErrFewCalls is in the warning that too few calls stand behind a percentile.
var ErrFewCalls = errors.New("too few calls")

// Warnings that make it doubtful that the callee failed a probe.
var (
	errSlow   = errors.New("the generator was too slow")
	errStolen = errors.New("the machine's host took")
)

// verdict lists the reasons not to trust a result.
func (r *run) verdict(res *Result) []error {
	var w []error
	warn := func(bad bool, format string, args ...any) {
		if bad {
			w = append(w, fmt.Errorf(format, args...))
		}
	}
	warn(r.unfinished > 0, "%d calls did not return within %v after the end", r.unfinished, r.Drain)
	warn(res.Dropped > 0, "%d of %d calls due were not sent", res.Dropped, res.Due)
	if !r.closed {
		warn(r.open.lateFree*100 > res.Sent, "%w: %d of %d calls were sent more than %v late while a worker was free", errSlow, r.open.lateFree, res.Sent, lateness)
		offered, achieved, behind := r.rates(res)
		warn(achieved < .99*offered && behind > 10*time.Millisecond, "only %.0f calls/s of the offered %.0f were sent in time", achieved, offered)
	}
	if res.Elapsed > time.Second/4 { // CPU time is counted in hundredths of a second
		others, busy, stolen := r.contended[1].since(r.contended[0])
		warn(!r.closed && others > muchOthers && busy > muchBusy, "the CPUs were full: other processes took %.0f %% of them, the callee's among them if it is here", others*100)
		warn(stolen > muchStolen, "%w %.0f %% of its CPU time away", errStolen, stolen*100)
	}
	if u := r.Until; u != (Precision{}) {
		warn(!r.precise(), "p%.5g is not known to ±%.3g %%: a longer Duration is needed", u.Quantile*100, u.Within*100)
	}
	return append(w, fewCalls(res.Sent)...)
}

// fewCalls warns of a p99 that rests on less than 10 calls beyond it.
func fewCalls(sent int64) []error {
	if sent >= 1000 {
		return nil
	}
	return []error{fmt.Errorf("%w: p99 rests on %d, it needs 1000", ErrFewCalls, sent)}
}

// rates returns the calls per second that were due and that were sent, and how
// long after the last due time the last call was sent.
func (r *run) rates(res *Result) (offered, achieved float64, behind time.Duration) {
	due := r.open.last - r.Warmup
	if due <= 0 {
		return 0, 0, 0
	}
	behind = max(r.open.lastSent-r.open.last, 0)
	return float64(res.Due) / due.Seconds(), float64(res.Sent) / (due + behind).Seconds(), behind
}
