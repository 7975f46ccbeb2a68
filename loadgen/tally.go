package loadgen

import (
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/rpcbench/rpcbench/loadgen/internal/sparse"
)

// tally is what was gathered of a run, or of one part of a mix.
type tally struct {
	response, service, lag, blocked, errors Histogram
	series                                  []Point
	longest                                 int           // bucket of the longest response so far
	longestAt                               time.Duration // the end of the step in which it ended
	failed                                  int64         // failed calls of the interval under way
	*window
}

// window is what a tally has of the time under way. It is kept from run to run.
type window struct {
	interval sparse.Counts // responses of the interval under way, by bucket
	batches  batches
}

var windows = sync.Pool{New: func() any { return new(window) }}

func (w *window) empty() {
	w.interval.Empty()
	w.batches.empty()
}

// add adds the responses of a step, which are in the blocks in use. It notes the end of the
// step in which the longest ended: calls cost nothing for it.
func (t *tally) add(step *Histogram, inUse *bucket.Blocks, failed int64, end time.Duration) {
	t.failed += failed
	inUse.Each(func(i int) {
		n := step.counts[i]
		if n == 0 {
			return
		}
		t.response.add(i, n)
		t.interval.Add(i, n)
		if i > t.longest {
			t.longest, t.longestAt = i, end
		}
	})
}

// addPoint makes a Point of the interval that has ended.
func (t *tally) addPoint(start, length time.Duration) {
	p := Point{Start: start, Length: length, OK: t.interval.Total() - t.failed, Failed: t.failed}
	p.P50, p.P90, p.P99, p.Max = t.quantile(.5), t.quantile(.9), t.quantile(.99), t.quantile(1)
	t.series = append(t.series, p)
	t.interval.Empty()
	t.failed = 0
}

// quantile is Histogram.Quantile of the interval.
func (t *tally) quantile(q float64) time.Duration {
	want := rank(q, t.interval.Total())
	for i, n := range t.interval.From(0) {
		if want -= n; want <= 0 {
			return bucket.High(i)
		}
	}
	return 0
}

// ended is how many calls ended in an interval.
func (t *tally) ended(interval int) int64 { return t.series[interval].OK + t.series[interval].Failed }

// mergeTimes adds what has no steps.
func (t *tally) mergeTimes(other *tally) {
	t.service.Merge(&other.service)
	t.lag.Merge(&other.lag)
	t.errors.Merge(&other.errors)
}

// result gives what was gathered to a Result, whose Closed and Elapsed are set.
func (t *tally) result(res *Result, warmup time.Duration) *Result {
	move(&res.Response, &t.response)
	move(&res.Service, &t.service)
	move(&res.Lag, &t.lag)
	move(&res.Blocked, &t.blocked)
	move(&res.Errors, &t.errors)
	if res.Closed {
		res.Service.Merge(&res.Response)
	}
	res.count()
	res.Series = t.series
	if res.Sent > 0 {
		res.MaxAt = min(max(t.longestAt-warmup, 0), res.Elapsed)
	}
	return res
}
