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
	return r.checkParts()
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
