package loadgen

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// format is the number of what MarshalJSON writes. It grows when a program that reads the number
// before would take a result for what it is not.
const format = 1

// MarshalJSON adds the number of the format to what r has, and a summary, which nobody needs to
// trust: it is computed from the histograms each time. Its receiver is a pointer as that of
// Histogram.MarshalText is.
func (r *Result) MarshalJSON() ([]byte, error) {
	type plain Result // without this method
	return json.Marshal(struct {
		Format int `json:"format"`
		*plain
		Warnings warnings       `json:"warnings,omitzero"` // as texts
		Summary  map[string]any `json:"summary,omitempty"`
	}{format, (*plain)(r), r.Warnings, r.summary()})
}

// summary is what the doc of Result says; nil if no call was due.
func (r *Result) summary() map[string]any {
	if r.Due == 0 {
		return nil
	}
	s := map[string]any{"goodput_per_s": r.Goodput()}
	if !r.Closed {
		s["offered_per_s"] = figure.PerSecond(r.Due, r.Elapsed)
	}
	if r.Sent > 0 {
		s["error_ratio"] = float64(r.Failed) / float64(r.Sent)
	}
	for _, c := range []column{{"response", &r.Response}, {"service", &r.Service}, {"lag", &r.Lag}, {"errors", &r.Errors}} {
		if c.Count() > 0 {
			s[c.name] = c.figures()
		}
	}
	return s
}

// figures are what a summary has of a histogram, in nanoseconds.
func (h *Histogram) figures() map[string]time.Duration {
	f := map[string]time.Duration{"mean_ns": h.Mean(), "min_ns": h.Min(), "max_ns": h.Max()}
	for key, q := range map[string]float64{"p50_ns": .5, "p90_ns": .9, "p95_ns": .95, "p99_ns": .99, "p99_9_ns": .999} {
		if h.EnoughFor(q) {
			f[key] = h.Quantile(q)
		}
	}
	return f
}

// MarshalJSON adds the rates of the interval to what p has.
func (p Point) MarshalJSON() ([]byte, error) {
	type plain Point // without this method
	rates := struct {
		plain
		OKRate     *float64 `json:"ok_per_s,omitempty"`
		FailedRate *float64 `json:"failed_per_s,omitempty"`
	}{plain: plain(p)}
	if p.Length > 0 {
		rates.OKRate, rates.FailedRate = new(figure.PerSecond(p.OK, p.Length)), new(figure.PerSecond(p.Failed, p.Length))
	}
	return json.Marshal(rates)
}

// UnmarshalJSON replaces r by a result that json.Marshal wrote, in this version
// or an older one; a later format is an error. Warnings keep their text and their kind;
// of one of more than 4096 bytes the beginning is read, and of more than 1000 the first.
// Unknown keys are ignored. Counts that do not add up are an error. After an error r is
// unchanged.
func (r *Result) UnmarshalJSON(data []byte) error {
	type plain Result // without this method
	var read plain
	texts := struct {
		*plain
		Warnings warnings `json:"warnings"`
	}{plain: &read}
	if err := cmp.Or(checkFormat(data), checkSize(data)); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &texts); err != nil {
		return fmt.Errorf("loadgen: a result: %w", err)
	}
	if err := (*Result)(&read).check(); err != nil {
		return err
	}
	if read.ErrorKinds != nil {
		read.ErrorKinds = joinKinds(maxMergedKinds, read.ErrorKinds) // which bounds the texts
	}
	read.Warnings = texts.Warnings
	move(r, (*Result)(&read))
	return nil
}

// checkFormat refuses what a later version wrote. A result without a number is of the first
// format. What is no result is not its business.
func checkFormat(data []byte) error {
	var read struct {
		Format int `json:"format"`
	}
	if json.Unmarshal(data, &read) == nil && read.Format > format {
		return fmt.Errorf("loadgen: a result of format %d: this version reads format %d and older ones", read.Format, format)
	}
	return nil
}

// checkSize refuses more parts than a run has, and parts of parts, before their histograms
// take memory. What is no result is not its business.
func checkSize(data []byte) error {
	var size struct {
		Parts []struct {
			Name   string
			Result struct{ Parts json.RawMessage }
		}
	}
	if json.Unmarshal(data, &size) != nil {
		return nil
	}
	if n := len(size.Parts); n > maxParts {
		return fmt.Errorf("loadgen: a result with %d parts: at most %d are possible", n, maxParts)
	}
	for _, p := range size.Parts {
		if p.Result.Parts != nil {
			return fmt.Errorf("loadgen: a result whose part %.40q has parts itself", p.Name)
		}
	}
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
	return cmp.Or(r.checkReturned(), r.checkTimes(), r.checkKinds(), r.checkParts(), r.checkSeries(), r.checkConfidence())
}

// checkSeries adds the points up. Every call that was sent is in one of them, also one that
// ended after the last was due, and Merge keeps it so. What was merged of results without points
// has none.
func (r *Result) checkSeries() error {
	if len(r.Series) == 0 {
		return nil
	}
	ok, failed, longest, last := int64(0), int64(0), time.Duration(0), time.Duration(-1)
	for _, p := range r.Series {
		switch {
		case p.OK < 0 || p.Failed < 0 || p.OK > r.OK-ok || p.Failed > r.Failed-failed:
			return fmt.Errorf("loadgen: a result whose interval at %v has %d calls ok and %d failed, of %d and %d in all", p.Start, p.OK, p.Failed, r.OK, r.Failed)
		case p.Start <= last || p.Start > r.Elapsed+maxInterval:
			return fmt.Errorf("loadgen: a result with an interval at %v after one at %v, in a run of %v", p.Start, last, r.Elapsed)
		case p.Length < 0 || p.Length > maxInterval:
			return fmt.Errorf("loadgen: a result whose interval at %v is %v long: at most %v are possible", p.Start, p.Length, maxInterval)
		case p.P90 != 0 && (p.P90 < p.P50 || p.P90 > p.P99):
			return fmt.Errorf("loadgen: a result whose interval at %v has a p50 of %v, a p90 of %v and a p99 of %v", p.Start, p.P50, p.P90, p.P99)
		case p.P50 < 0 || p.P99 < p.P50 || p.Max < p.P99 || p.Max > 0 && p.OK+p.Failed == 0:
			return fmt.Errorf("loadgen: a result whose interval at %v has a p50 of %v, a p99 of %v and a maximum of %v, of %d calls", p.Start, p.P50, p.P99, p.Max, p.OK+p.Failed)
		}
		ok, failed, longest, last = ok+p.OK, failed+p.Failed, max(longest, p.Max), p.Start
	}
	switch {
	case ok != r.OK || failed != r.Failed:
		return fmt.Errorf("loadgen: a result whose intervals have %d calls ok and %d failed, of %d and %d in all", ok, failed, r.OK, r.Failed)
	case longest != r.Response.Max():
		return fmt.Errorf("loadgen: a result whose longest call took %v, and %v in its intervals", r.Response.Max(), longest)
	}
	return nil
}

func (r *Result) checkConfidence() error {
	known := map[float64]bool{}
	for _, c := range r.Confidence {
		switch {
		case !(c.Quantile > 0 && c.Quantile < 1) || known[c.Quantile]:
			return fmt.Errorf("loadgen: a result with the interval of a quantile %v, which is not between 0 and 1, or stands twice", c.Quantile)
		case c.Low < 0 || c.High < c.Low || c.High > r.Response.Max():
			return fmt.Errorf("loadgen: a result whose %s is between %v and %v, and whose longest call took %v", figure.Percentile(c.Quantile), c.Low, c.High, r.Response.Max())
		}
		known[c.Quantile] = true
	}
	return nil
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
	case r.Closed && r.MaxLag != 0:
		return errors.New("loadgen: a result of a closed loop with calls that were late")
	case r.Blocked.Count() > r.Due:
		return fmt.Errorf("loadgen: a result with %d calls that were blocked, of %d that were due", r.Blocked.Count(), r.Due)
	case !r.Response.has(&r.Errors):
		return errors.New("loadgen: a result whose failed calls took other times than all of its calls")
	case r.Service.Max() > r.Response.Max():
		return fmt.Errorf("loadgen: a result with a service of %v, and no longer response than %v", r.Service.Max(), r.Response.Max())
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
	case r.MaxBacklog > maxCount:
		return fmt.Errorf("loadgen: a result with a backlog of more than %d", int64(maxCount))
	case r.MaxAt < 0 || r.MaxAt > r.Elapsed:
		return fmt.Errorf("loadgen: a result whose longest call ended at %v in a run of %v", r.MaxAt, r.Elapsed)
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
		case len(p.Name) > maxName:
			return fmt.Errorf("loadgen: a result with a part whose name has %d bytes: at most %d", len(p.Name), maxName)
		case p.Result == nil || names[p.Name]:
			return fmt.Errorf("loadgen: a result whose part %.40q has no result, or stands twice", p.Name)
		case p.Result.Closed != r.Closed:
			return fmt.Errorf("loadgen: a result whose part %.40q is of another loop", p.Name)
		}
		if p.Result.Elapsed > r.Elapsed {
			return fmt.Errorf("loadgen: a result whose part %.40q took longer than the whole", p.Name)
		}
		names[p.Name] = true
		if sent += p.Result.Sent; sent > r.Sent {
			return errors.New("loadgen: a result whose parts have more calls than the whole")
		}
	}
	return r.checkPoints()
}

// checkPoints adds the points of the parts up, interval by interval. Their intervals are those
// of the whole, and Merge relies on it.
func (r *Result) checkPoints() error {
	left := slices.Clone(r.Series)
	for _, p := range r.Parts {
		for i, q := range p.Result.Series {
			if i >= len(left) || q.Start != left[i].Start {
				return fmt.Errorf("loadgen: a result whose part %.40q has an interval at %v that the whole has not", p.Name, q.Start)
			}
			left[i].OK, left[i].Failed = left[i].OK-q.OK, left[i].Failed-q.Failed
			if min(left[i].OK, left[i].Failed) < 0 {
				return fmt.Errorf("loadgen: a result whose parts have more calls in the interval at %v than the whole", q.Start)
			}
		}
	}
	return nil
}
