package capacity

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/batch"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// The verdict on a probe is a test of a share: are more calls late, or more calls
// failed, than the objective allows? Calls are not independent, since a queue or a
// pause makes many of them late together, so the standard error comes from how
// much the share varies between batches of the run (the method of batch means).
//
// The judge looks after every batch, so that a clear case ends early: with the
// defaults up to 37 times. Each look is another chance to be wrong, which is why a
// verdict needs three standard errors and not the usual two. 24 batches are the
// least because a standard error from a few batches is itself poorly known, and
// because a queue that grows slowly looks like a short one at first.
const (
	decisiveErrors = 3  // standard errors
	joinedBatches  = 31 // the most of which a standard error is made: see joined
)

// judge decides, batch by batch, whether a probe meets its objective. The first
// decision stands: batches that come after it are not judged.
type judge struct {
	Config
	rate float64 // calls/s

	responses    loadgen.Histogram // of the batches
	missed       int64             // calls that did not end, since the callee stood still
	late, failed batch.Shares      // of each batch: calls over the latency, and failed calls
	decided      bool
	holds        bool
	certain      bool // the batches decided, before ProbeTime or at its end
	byLatency    bool // late calls weighed more than failed ones
}

// errFails ends a probe that has failed. Calls that are due are then not sent: the
// callee is overloaded, and working off the rest would only cost time. A probe
// that holds ends with loadgen.ErrEnough, which sends them, so that the slowest calls are
// in its Result.
var errFails = errors.New("capacity: the probe has failed")

// onProgress takes a batch. It is the OnProgress of the probe's run: what it returns lets
// the run go on or ends it. The caller's own OnProgress comes first, so that
// it hears of every batch and can end the search.
func (j *judge) onProgress(p loadgen.Progress) error {
	if j.OnProgress != nil {
		if err := j.OnProgress(p); err != nil {
			return err
		}
	}
	if j.decided || p.Over { // a batch that was cut short has another share of late calls
		return nil
	}
	j.take(p)
	j.decide(len(j.late.All) >= j.batches())
	switch {
	case !j.decided:
		return nil
	case j.holds:
		return loadgen.ErrEnough
	}
	return errFails
}

// take adds a batch to those to be judged. Calls count in the batch in which they
// ended: those still under way are unknown, but for what missing says of them.
func (j *judge) take(p loadgen.Progress) {
	ended := p.Last.OK + p.Last.Failed
	missing := j.missing(ended)
	j.responses.Merge(p.Responses)
	j.missed += missing
	j.late.Add(p.Responses.Over(j.Latency)+missing, ended+missing)
	j.failed.Add(p.Last.Failed, ended)
}

// missing is how many calls, of those due in a batch, did not end because the
// callee stood still. They count as late: without them a callee that answers
// nothing for seconds would have no late calls in that time, and look good.
//
// A batch counts as one of standstill if fewer than half of its calls ended, and
// fewer by more than five standard deviations of Poisson arrivals, which is √due.
// At low rates a batch of few calls is thus left alone.
func (j *judge) missing(ended int64) int64 {
	due := j.rate * j.Batch.Seconds()
	if float64(ended) < due/2-5*math.Sqrt(due) {
		return int64(due) - ended
	}
	return 0
}

// decide sets the verdict as soon as it is certain, or at the end of the probe.
//
// Where no call may fail, one failed call fails the probe: that needs no
// statistics. To hold for certain, a probe also needs calls enough: if fewer than 12
// late calls are expected at the objective, a share of 0 in all batches is no
// evidence. A probe that fails has seen its late calls and needs no such rule.
//
// At the end the probe is judged by the share alone. A wrong verdict is then about
// as likely in either direction; the fit over all probes makes up for it.
func (j *judge) decide(end bool) {
	late, failed := against(&j.late, 1-j.Quantile), against(&j.failed, j.ErrorRate)
	if j.ErrorRate == 0 && batch.Sum(j.failed.With) > 0 {
		failed = math.Inf(1)
	}
	enough := len(j.late.All) >= decisiveBatches
	j.byLatency = late > failed
	switch worse := max(late, failed); {
	case enough && worse > decisiveErrors:
		j.decided, j.certain = true, true
	case enough && worse < -decisiveErrors && !j.few():
		j.decided, j.certain, j.holds = true, true, true
	case end:
		j.decided, j.holds = true, worse <= 0 && batch.Sum(j.late.All) > 0
	}
}

// few reports whether too few calls were judged for a probe to hold for certain.
func (j *judge) few() bool { return batch.Sum(j.late.All) < j.callsNeeded() }

// callsNeeded is how many calls a probe must have to hold for certain.
func (c Config) callsNeeded() float64 {
	const ulp = 1e-9 // 1-Quantile is not exact
	return math.Ceil(batch.MinEvents/min(1-c.Quantile, c.Quantile) - ulp)
}

// against returns by how many standard errors the calls with the property are
// more than a share of all. If no call has the property, there is no variation to
// take an error from, and the answer is −∞; decide asks for enough calls before it
// believes that.
func against(s *batch.Shares, share float64) float64 {
	if batch.Sum(s.With) == 0 {
		return math.Inf(-1)
	}
	more := batch.Sum(s.With) - share*batch.Sum(s.All)
	if more == 0 { // its error may be 0 too
		return 0
	}
	return more / joined(s).StdErr(share)
}

// joined returns at most 31 batches, by making one of two neighbours as often as
// needed. Batch means assumes that batches are independent. Neighbours are not
// where a busy period spans two of them, and the standard error is then too small;
// the longer the batches, the less of them lies near a border.
func joined(s *batch.Shares) *batch.Shares {
	for len(s.All) > joinedBatches {
		half := new(batch.Shares)
		for i := 0; i < len(s.All); i += 2 {
			end := min(i+2, len(s.All))
			half.With, half.All = append(half.With, batch.Sum(s.With[i:end])), append(half.All, batch.Sum(s.All[i:end]))
		}
		s = half
	}
	return s
}

// verdict is the probe, with the figures that the fit needs: the logarithm of the
// odds of a late call, 0 at the objective, and its standard error. A run that ended
// before it was decided is judged by what it has.
func (j *judge) verdict(res *loadgen.Result) Probe {
	if !j.decided {
		j.decide(true)
	}
	p := Probe{Rate: j.rate, Holds: j.holds, Certain: j.certain, Result: res, late: j.byLatency}
	share := j.late.Share()
	p.share = share
	p.Why = "no call ended"
	if share >= 0 {
		p.Why = fmt.Sprintf("%s %s, %s over %v", figure.Percentile(j.Quantile), j.quantile(), percent(share, 1-j.Quantile), j.Latency)
	}
	if batch.Sum(j.failed.With) > 0 {
		p.Why += fmt.Sprintf(", %s failed: %s", percent(j.failed.Share(), j.ErrorRate), reasons(res))
	}
	switch n := j.batches(); {
	case n < decisiveBatches:
		p.Why += fmt.Sprintf("; %d batches are too few to be certain", n)
	case j.holds && !j.certain && j.few():
		p.Why += fmt.Sprintf("; %.0f calls are too few to be certain, it takes %.0f", batch.Sum(j.late.All), j.callsNeeded())
	}
	p.odds = batch.Logit(share) - batch.Logit(1-j.Quantile)
	p.batches = joined(&j.late)
	p.oddsErr = p.batches.LogitErr()
	return p
}

// quantile is the percentile of the judged calls, in words, and not of the Result,
// which also has the calls that ended after the last judged batch. Calls that did
// not end are longer than all others. It is over the latency if the share of late calls is
// over what is allowed, and only then, whatever a bucket of the histogram rounds up.
func (j *judge) quantile() string {
	over := j.late.Share() > 1-j.Quantile
	ended := j.responses.Count()
	all := j.Quantile * float64(ended+j.missed)
	if all > float64(ended) {
		return fmt.Sprintf("more than %v", figure.Rounded(max(j.responses.Max(), j.Latency)))
	}
	p := j.responses.Quantile(all / float64(ended))
	switch {
	case !over:
		return shown(min(p, j.Latency), j.Latency)
	case p <= j.Latency:
		return fmt.Sprintf("more than %v", j.Latency)
	}
	return shown(p, j.Latency)
}

// shown is a time in as few digits as can tell on which side of a latency it is.
func shown(d, latency time.Duration) string {
	if r := figure.Rounded(d); (r > latency) == (d > latency) {
		return r.String()
	}
	return d.String()
}

// percent is a share in as few digits as can tell whether more is allowed.
func percent(share, allowed float64) string {
	for digits := 3; ; digits++ {
		text := strconv.FormatFloat(100*share, 'g', digits, 64)
		if v, _ := strconv.ParseFloat(text, 64); digits == 17 || (v > 100*allowed) == (share > allowed) {
			return text + " %"
		}
	}
}

// reasons are what calls of a run failed by most often. How many is left out: the run has
// other calls than those that were judged.
func reasons(res *loadgen.Result) string {
	var texts []string
	for _, k := range res.ErrorKinds[:min(len(res.ErrorKinds), 3)] {
		texts = append(texts, foreign.Line(k.Text))
	}
	return strings.Join(texts, "; ")
}
