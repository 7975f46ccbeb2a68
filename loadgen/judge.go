package loadgen

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// judge decides, batch by batch, whether a probe meets its objective.
type judge struct {
	Objective
	rate  float64
	batch time.Duration
	most  time.Duration // after which it is decided in any case

	late, failed shares // calls over the latency, and failed ones
	decided      bool
	holds        bool
	certain      bool
	byLatency    bool
}

// errFails ends a probe that has failed: what is due need not be sent.
var errFails = errors.New("loadgen: the probe has failed")

// hear takes a batch, as Config.OnProgress.
func (j *judge) hear(p Progress) error {
	if j.decided {
		return nil
	}
	ended := p.Last.OK + p.Last.Failed
	missing := j.missing(ended)
	j.late.add(p.Responses.over(j.Latency)+missing, ended+missing)
	j.failed.add(p.Last.Failed, ended)
	j.decide(p.Elapsed >= j.most)
	switch {
	case !j.decided:
		return nil
	case j.holds:
		return ErrEnough
	}
	return errFails
}

// missing is the number of calls that a callee that stands still keeps from
// ending in a batch: those that were due and are too many for chance.
func (j *judge) missing(ended int64) int64 {
	due := j.rate * j.batch.Seconds()
	if float64(ended) < due/2-5*math.Sqrt(due) {
		return int64(due) - ended
	}
	return 0
}

// decide sets the verdict once it is certain, or else in the end.
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

// against returns by how many of its standard errors the number of calls with
// the property is more than a share of all.
func (s *shares) against(share float64) float64 {
	if sum(s.with) == 0 {
		return math.Inf(-1)
	}
	return (sum(s.with) - share*sum(s.all)) / s.joined().stdErr(share)
}

// joined has from 16 batches on at most 31, of neighbours.
func (s *shares) joined() *shares {
	for len(s.all) > maxBatches {
		half := new(shares)
		for i := 0; i < len(s.all); i += 2 {
			end := min(i+2, len(s.all))
			half.with, half.all = append(half.with, sum(s.with[i:end])), append(half.all, sum(s.all[i:end]))
		}
		s = half
	}
	return s
}

// verdict is the probe, with what the fit needs.
func (j *judge) verdict(res *Result) Probe {
	if !j.decided {
		j.decide(true)
	}
	p := Probe{Rate: j.rate, Holds: j.holds, Certain: j.certain, Result: res, late: j.byLatency}
	share := j.late.share()
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
