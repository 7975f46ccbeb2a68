package loadgen

import (
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// verdict lists the reasons not to trust a result.
func (r *run) verdict(res *Result) Warnings {
	var w Warnings
	w.add(r.unfinished > 0, ErrUnfinished, "%d within %v after the end", r.unfinished, r.Drain)
	w.add(res.Dropped > 0, ErrDropped, "%d of %d that were due", res.Dropped, res.Due)
	w.add(res.Sent > 0 && res.OK == 0, ErrAllFailed, "%s", res.Failures())
	if !r.closed {
		w.add(r.open.lateFree*100 > res.Due, ErrGenerator, "%d of %d calls due were more than %v late while a worker was free", r.open.lateFree, res.Due, lateness)
		offered, achieved, behind := r.rates(res)
		w.add(achieved < .99*offered && behind > 10*time.Millisecond, ErrBehind, "%.0f calls/s of %.0f were sent in time", achieved, offered)
	}
	if res.Elapsed > time.Second/4 { // CPU time is counted in hundredths of a second
		others, busy, stolen := r.contended[1].since(r.contended[0])
		w.add(!r.closed && others > muchOthers && busy > muchBusy, ErrBusy, "other processes took %.0f %%, the callee's among them if it is here", others*100)
		w.add(stolen > muchStolen, ErrHost, "%.0f %%", stolen*100)
	}
	if u := r.Until; u != (Precision{}) {
		w.add(!r.precise(&res.Response), ErrImprecise, "%s is not known to ±%.3g %%: a longer Duration is needed", figure.Percentile(u.Quantile), u.Within*100)
	}
	w = append(w, r.batches.doubts(&res.Response, r.quantiles()...)...)
	return append(w, fewCalls(res.Sent)...)
}

// fewCalls warns of a p99 beyond which there are fewer than 10 calls.
func fewCalls(sent int64) (w Warnings) {
	w.add(!enoughFor(sent, .99), ErrFewCalls, "p99 rests on %d, it needs 1000", sent)
	return w
}

// rates returns the calls per second that were due and that were sent, and how
// long after the last due time the last call was sent. Offered is over the time in
// which calls were due, and achieved over the time in which they were sent, so the
// two are equal if no call was dropped and the last was sent on time.
func (r *run) rates(res *Result) (offered, achieved float64, behind time.Duration) {
	due := r.open.last - r.Warmup
	if due <= 0 {
		return 0, 0, 0
	}
	behind = max(r.open.lastSent-r.open.last, 0)
	return float64(res.Due) / due.Seconds(), float64(res.Sent) / (due + behind).Seconds(), behind
}
