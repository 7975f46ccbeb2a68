package loadgen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Merge adds other, the result of another process's share of the same run; nil
// adds nothing. Begin with a zero Result: it takes the loop of the first that is
// merged into it.
//
// Counts and histograms add up and lose nothing, and so do up to 200 ErrorKinds. Elapsed is the
// longer of the two, since the processes ran at the same time. MaxLag is the
// larger, and MaxAt that of the longer call. MaxBacklog is the sum: each process has a queue of its own, and at no
// time did more calls than this wait in all of them. Parts are merged by Name, each as the whole is.
// Warnings of both are kept, except ErrFewCalls, which is judged anew by the calls
// of both.
//
// Points of Series are merged by their Start, as if both runs had started
// together. Their counts add up and Max is the larger. Percentiles cannot be
// computed from percentiles, so those of a Point are 0 if both points have calls, and
// Confidence is empty if both results have calls. Series is empty if one of them has calls
// and no Series.
//
// If both together have more than 2^48 calls, if one is a closed loop and the other is not, or if the intervals of their
// Series differ in length, Merge returns an error and r stays as it was.
func (r *Result) Merge(other *Result) error {
	if other == nil {
		return nil
	}
	if err := r.mergeable(other); err != nil {
		return err
	}
	r.Closed = other.Closed
	r.Confidence, r.Series = mergeConfidence(r, other), mergeSeries(r, other)
	if other.Response.Max() > r.Response.Max() || r.Response.Count() == 0 {
		r.MaxAt = other.MaxAt
	}
	r.mergeCounts(other)
	r.Response.Merge(&other.Response)
	r.Service.Merge(&other.Service)
	r.Lag.Merge(&other.Lag)
	r.Blocked.Merge(&other.Blocked)
	r.Errors.Merge(&other.Errors)
	r.ErrorKinds = joinKinds(maxMergedKinds, r.ErrorKinds, other.ErrorKinds)
	r.mergeParts(other)
	r.Warnings = mergeWarnings(r.Sent, r.Warnings, other.Warnings)
	return nil
}

func (r *Result) mergeable(other *Result) error {
	blank := r.Due == 0 && r.Series == nil
	if r.Closed != other.Closed && !blank {
		return errors.New("loadgen: results of a closed and of an open loop cannot be merged")
	}
	if r.Due > maxCount-other.Due {
		return fmt.Errorf("loadgen: results of more than %d calls cannot be merged", int64(maxCount))
	}
	if a, b := intervalLength(r.Series), intervalLength(other.Series); a != b && a != 0 && b != 0 {
		return fmt.Errorf("loadgen: results with intervals of %v and of %v cannot be merged", a, b)
	}
	return nil
}

// intervalLength returns 0 when there are too few intervals to tell.
func intervalLength(series []Point) time.Duration {
	if len(series) < 2 {
		return 0
	}
	return series[1].Start - series[0].Start
}

func (r *Result) mergeCounts(other *Result) {
	r.Elapsed = max(r.Elapsed, other.Elapsed)
	r.Due += other.Due
	r.Sent += other.Sent
	r.OK += other.OK
	r.Failed += other.Failed
	r.Dropped += other.Dropped
	r.MaxBacklog += other.MaxBacklog
	r.MaxLag = max(r.MaxLag, other.MaxLag)
}

func mergeConfidence(a, b *Result) []Confidence {
	switch {
	case a.Sent == 0:
		return slices.Clone(b.Confidence)
	case b.Sent == 0:
		return a.Confidence
	}
	return nil
}

// mergeSeries keeps the points that together have all calls: none, if one result has calls
// and no points.
func mergeSeries(a, b *Result) []Point {
	if a.Sent > 0 && a.Series == nil || b.Sent > 0 && b.Series == nil {
		return nil
	}
	all := slices.Concat(a.Series, b.Series)
	slices.SortStableFunc(all, func(a, b Point) int { return cmp.Compare(a.Start, b.Start) })
	merged := all[:0]
	for _, i := range all {
		if last := len(merged) - 1; last >= 0 && merged[last].Start == i.Start {
			merged[last].merge(i)
		} else {
			merged = append(merged, i)
		}
	}
	return merged
}

func (i *Point) merge(other Point) {
	switch {
	case i.OK+i.Failed == 0:
		i.P50, i.P90, i.P99 = other.P50, other.P90, other.P99
	case other.OK+other.Failed > 0:
		i.P50, i.P90, i.P99 = 0, 0, 0
	}
	i.Length = max(i.Length, other.Length)
	i.OK += other.OK
	i.Failed += other.Failed
	i.Max = max(i.Max, other.Max)
}

func mergeWarnings(sent int64, a, b []error) []error {
	all := slices.DeleteFunc(slices.Concat(a, b), func(err error) bool { return errors.Is(err, ErrFewCalls) })
	return append(all, fewCalls(sent)...)
}

// mergeParts adds the parts of other to those of r, by name.
func (r *Result) mergeParts(other *Result) {
	for _, p := range other.Parts {
		i := slices.IndexFunc(r.Parts, func(q Part) bool { return q.Name == p.Name })
		if i < 0 {
			i, r.Parts = len(r.Parts), append(r.Parts, Part{p.Name, &Result{Closed: p.Result.Closed}})
		}
		r.Parts[i].Result.Merge(p.Result) // their loops and intervals are those of the whole, which agree
		r.Parts[i].Result.Warnings = nil  // which the whole has
	}
	if r.Series != nil {
		return
	}
	for _, p := range r.Parts {
		p.Result.Series = nil
	}
}
