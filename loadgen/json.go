package loadgen

import (
	"encoding/json"
	"errors"
	"fmt"
)

// UnmarshalJSON replaces r by a result that json.Marshal wrote, in this version
// or an older one. Warnings keep their text and their kind. Unknown keys are
// ignored. Counts that do not add up are an error. After an error r is unchanged.
func (r *Result) UnmarshalJSON(data []byte) error {
	type plain Result // without this method
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return fmt.Errorf("loadgen: a result: %w", err)
	}
	if err := (*Result)(&read).check(); err != nil {
		return err
	}
	if read.ErrorKinds != nil {
		read.ErrorKinds = joinKinds(read.ErrorKinds) // which bounds the texts
	}
	move(r, (*Result)(&read))
	return nil
}

// check returns an error if the counts of a result do not add up, which they do in
// every result that Run or Merge made.
func (r *Result) check() error {
	switch {
	case min(r.Due, r.Sent, r.OK, r.Failed, r.Dropped) < 0 || r.Due > maxCount:
		return fmt.Errorf("loadgen: a result whose counts are not from 0 to %d", int64(maxCount))
	case r.Sent != r.OK+r.Failed || r.Due != r.Sent+r.Dropped:
		return errors.New("loadgen: a result in which sent is not ok + failed, or due not sent + dropped")
	case r.Sent != r.Response.Count() || r.Failed != r.Errors.Count():
		return errors.New("loadgen: a result whose histograms do not hold the calls sent and failed")
	}
	return errors.Join(r.checkReturned(), r.checkTimes(), r.checkKinds(), r.checkParts())
}

// checkReturned looks at the histograms of the calls that returned: all but those
// that failed since they did not.
func (r *Result) checkReturned() error {
	returned, lags := r.Service.Count(), r.Lag.Count()
	switch {
	case returned < r.OK || returned > r.Sent:
		return fmt.Errorf("loadgen: a result with the service times of %d calls, of which %d were sent and %d succeeded", returned, r.Sent, r.OK)
	case r.Closed && lags != 0:
		return errors.New("loadgen: a result of a closed loop with lags")
	case !r.Closed && lags != returned:
		return fmt.Errorf("loadgen: a result with the lags of %d calls, of which %d returned", lags, returned)
	}
	return nil
}

// checkTimes makes sure that a rate can be computed. No call takes longer than a run,
// but by what a histogram rounds up.
func (r *Result) checkTimes() error {
	switch fastest := r.Response.Min(); {
	case r.Elapsed < 0 || r.MaxLag < 0 || r.MaxBacklog < 0:
		return errors.New("loadgen: a result with a negative time or backlog")
	case r.Sent > 0 && r.Elapsed <= 0:
		return fmt.Errorf("loadgen: a result with %d calls in no time", r.Sent)
	case fastest-fastest/512 > r.Elapsed:
		return fmt.Errorf("loadgen: a result whose calls took %v and longer in a run of %v", fastest, r.Elapsed)
	}
	return nil
}

// checkKinds adds the kinds of failures up.
func (r *Result) checkKinds() error {
	sum := int64(0)
	for _, k := range r.ErrorKinds {
		if k.Count < 1 || k.Count > r.Failed-sum {
			return fmt.Errorf("loadgen: a result with %d calls that failed by %.40q, of %d that failed", k.Count, k.Text, r.Failed)
		}
		sum += k.Count
	}
	if sum != r.Failed {
		return fmt.Errorf("loadgen: a result in which %d calls failed, and the kinds of %d are known", r.Failed, sum)
	}
	return nil
}

func (r *Result) checkParts() error {
	sent, names := int64(0), map[string]bool{}
	for _, p := range r.Parts {
		switch {
		case p.Result == nil || names[p.Name] || p.Result.Parts != nil:
			return fmt.Errorf("loadgen: a result whose part %q has no result, stands twice or has parts itself", p.Name)
		case p.Result.Closed != r.Closed:
			return fmt.Errorf("loadgen: a result whose part %q is of another loop", p.Name)
		}
		names[p.Name] = true
		if sent += p.Result.Sent; sent > r.Sent {
			return errors.New("loadgen: a result whose parts have more calls than the whole")
		}
	}
	return nil
}
