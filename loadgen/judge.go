package loadgen

import (
	"errors"
	"fmt"
	"math"
)

// What makes a probe certain.
const (
	decisiveBatches = 24 // at least
	decisiveErrors  = 3  // standard errors
	joinedBatches   = 31 // at most, and from 16 on: see shares.joined
)

// judge decides, batch by batch, whether a probe meets its objective.
type judge struct {
	Search
	rate float64 // calls/s

	late, failed shares // of each batch: calls over the latency, and failed calls
	decided      bool
	holds        bool
	certain      bool
	byLatency    bool
}

// errFails ends a probe that has failed: calls that are due need not be sent.
var errFails = errors.New("loadgen: the probe has failed")

// hear takes a batch, as Config.OnProgress.
func (j *judge) hear(p Progress) error {
	if j.OnProgress != nil {
		if err := j.OnProgress(p); err != nil {
			return err
		}
	}
	if j.decided {
		return nil
	}
	j.take(p)
	j.decide(p.Elapsed >= j.ProbeTime)
	switch {
	case !j.decided:
		return nil
	case j.holds:
		return ErrEnough
	}
	return errFails
}

func (j *judge) take(p Progress) {
	ended := p.Last.OK + p.Last.Failed
	missing := j.missing(ended)
	j.late.add(p.Responses.over(j.Latency)+missing, ended+missing)
	j.failed.add(p.Last.Failed, ended)
}

// missing is the number of calls that did not end in a batch because the callee
// stands still: calls that were due, if they are too many to be chance. They
// count as late.
func (j *judge) missing(ended int64) int64 {
	due := j.rate * j.Batch.Seconds()
	if float64(ended) < due/2-5*math.Sqrt(due) {
		return int64(due) - ended
	}
	return 0
}

// decide sets the verdict as soon as it is certain, or at the end of the probe.
func (j *judge) decide(end bool) {
	late, failed := j.late.against(1-j.Quantile), j.failed.against(j.ErrorRate)
	if j.ErrorRate == 0 && sum(j.failed.with) > 0 {
		failed = math.Inf(1)
	}
	enough := len(j.late.all) >= decisiveBatches
	few := sum(j.late.all)*min(1-j.Quantile, j.Quantile) < minEvents
	j.byLatency = late > failed
	switch worse := max(late, failed); {
	case enough && worse > decisiveErrors:
		j.decided, j.certain = true, true
	case enough && worse < -decisiveErrors && !few:
		j.decided, j.certain, j.holds = true, true, true
	case end:
		j.decided, j.holds = true, worse <= 0 && sum(j.late.all) > 0
	}
}

// against returns by how many standard errors the calls with the property are
// more than a share of all.
func (s *shares) against(share float64) float64 {
	if sum(s.with) == 0 {
		return math.Inf(-1)
	}
	return (sum(s.with) - share*sum(s.all)) / s.joined().stdErr(share)
}

// joined returns at most 31 batches, by making one of two neighbours as often as
// needed: long batches are less alike than short ones.
func (s *shares) joined() *shares {
	for len(s.all) > joinedBatches {
		half := new(shares)
		for i := 0; i < len(s.all); i += 2 {
			end := min(i+2, len(s.all))
			half.with, half.all = append(half.with, sum(s.with[i:end])), append(half.all, sum(s.all[i:end]))
		}
		s = half
	}
	return s
}

// verdict is the probe, with the figures that the fit needs.
func (j *judge) verdict(res *Result) Probe {
	if !j.decided {
		j.decide(true)
	}
	p := Probe{Rate: j.rate, Holds: j.holds, Certain: j.certain, Result: res, late: j.byLatency}
	share := j.late.share()
	p.share = share
	p.Why = "no call ended"
	if share >= 0 {
		p.Why = fmt.Sprintf("p%.5g %v, %.3g %% over %v", j.Quantile*100, rounded(res.Response.Quantile(j.Quantile)), share*100, j.Latency)
	}
	if res.Failed > 0 {
		p.Why += fmt.Sprintf(", %.3g %% failed: %s", 100*float64(res.Failed)/float64(res.Sent), res.Failures())
	}
	p.odds = logit(share) - logit(1-j.Quantile)
	p.oddsErr = j.late.joined().logitErr()
	return p
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
