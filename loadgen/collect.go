package loadgen

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"sync"
	"time"
)

// collector gathers the shards' counts, an interval at a time.
type collector struct {
	response, service, lag Histogram
	series                 []Point
	last                   Histogram // responses of the latest interval
	batches                batches
	unfinished             int64
	finish, collected      chan struct{}
}

func (r *run) startCollector() {
	r.finish, r.collected = make(chan struct{}), make(chan struct{})
	go r.collect()
}

// stopCollector gathers what is left.
func (r *run) stopCollector() {
	close(r.finish)
	<-r.collected
	last := r.intervalOf(max(time.Duration(r.lastDone.Load()), r.Warmup))
	for first := len(r.series); len(r.series) <= last || len(r.series) < first+2; {
		r.gather(func() {})
	}
	for n := len(r.series); n > last+1 && r.series[n-1].OK+r.series[n-1].Failed == 0; n-- {
		r.series = r.series[:n-1] // a late count may stand behind the last interval
	}
	if r.unfinished == 0 { // else late calls may still write to them
		for _, s := range r.shards {
			shards.Put(s)
		}
	}
}

// collect gathers each interval a little after its end, so that calls that
// ended in it have been counted.
func (r *run) collect() {
	defer close(r.collected)
	grace := min(10*time.Millisecond, r.Interval/4)
	timer := time.NewTimer(never)
	defer timer.Stop()
	for end := r.Warmup + r.Interval; ; end += r.Interval {
		timer.Reset(end + grace - r.now())
		select {
		case <-r.finish:
			return
		case <-timer.C:
		}
		r.gather(r.rest())
		r.judge()
	}
}

// judge ends the run when enough is known, or when Progress says so.
func (r *run) judge() {
	var err error
	if r.OnProgress != nil {
		err = r.OnProgress(r.progress())
	}
	switch {
	case errors.Is(err, ErrEnough) || err == nil && r.precise():
		r.enough()
	case err != nil:
		r.stop(err)
	}
}

// precise reports whether what Until asks for is known.
func (r *run) precise() bool {
	if r.Until == (Precision{}) {
		return false
	}
	c, known := r.batches.confidence(&r.response, r.Until.Quantile)
	return known && c.width() <= r.Until.Within
}

// enough ends the run as Duration does: calls due by now are still sent, or the
// slowest would be left out. It does not take the token, for which a busy worker
// may let it wait as long as it likes.
func (r *run) enough() {
	if r.closed {
		r.stop(nil)
		return
	}
	if r.endEarly.CompareAndSwap(int64(never), int64(r.now())) {
		close(r.ending)
	}
}

// rest returns a pause to be made between slices of the gathering, so that it
// does not hold up calls and ends in a quarter of an interval.
func (r *run) rest() func() {
	slices := len(r.shards) * 3 * (numBuckets/drainSlice + 1)
	nap := r.Interval / time.Duration(4*slices)
	return func() { time.Sleep(nap) }
}

// gather appends the next interval to the series.
func (r *run) gather(pause func()) {
	k := len(r.series)
	response := &r.last
	clear(response.counts)
	response.total = 0
	for _, s := range r.shards {
		s.response.drain(k, response, pause)
		if !r.closed {
			s.service.drain(k, &r.service, pause)
			s.lag.drain(k, &r.lag, pause)
		}
	}
	r.response.Merge(response)
	if response.Count() > 0 {
		r.batches.add(response)
	}
	failed := r.failures.in(k)
	r.series = append(r.series, Point{
		Start: time.Duration(k) * r.Interval, OK: max(response.Count()-failed, 0), Failed: failed,
		P50: response.Quantile(.5), P99: response.Quantile(.99), Max: response.Max(),
	})
}

func (r *run) progress() Progress {
	return Progress{Elapsed: max(r.now()-r.Warmup, 0), Ended: r.response.Count(), Last: r.series[len(r.series)-1], Responses: &r.last}
}

// failures counts failed calls. They are rare, or the run is worth nothing: a
// lock is cheap enough.
type failures struct {
	mu         sync.Mutex
	responses  Histogram
	kinds      map[string]int64
	byInterval map[int]int64
}

// maxKinds bounds the error texts told apart.
const maxKinds = 20

// particular is what differs between errors of one kind: ports, numbers of
// calls, sizes, what was read.
var particular = regexp.MustCompile(`0x[0-9a-f]+|[0-9]{4,}`)

func (f *failures) add(err error, response time.Duration, interval int) {
	text := particular.ReplaceAllString(err.Error(), "…")
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds, f.byInterval = map[string]int64{}, map[int]int64{}
	}
	if _, known := f.kinds[text]; !known && len(f.kinds) >= maxKinds {
		text = "other errors"
	}
	f.kinds[text]++
	f.byInterval[interval]++
	f.responses.Record(response, 1)
}

func (f *failures) in(interval int) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.byInterval[interval]
}

// list returns the kinds, the most frequent first.
func (f *failures) list() []ErrorKind {
	kinds := make([]ErrorKind, 0, len(f.kinds))
	for text, n := range f.kinds {
		kinds = append(kinds, ErrorKind{text, n})
	}
	slices.SortFunc(kinds, func(a, b ErrorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return kinds
}

// result puts the parts together.
func (r *run) result() *Result {
	if !r.closed && r.token.tryLock() {
		r.dropRest()
		r.token.unlock() // a call that comes back late finds that all is over
	}
	res := &Result{
		Closed: r.closed, Elapsed: max(time.Duration(r.lastDone.Load())-r.Warmup, 0),
		Response: r.response, Service: r.service, Lag: r.lag, Errors: r.failures.responses,
		ErrorKinds: r.failures.list(), Dropped: r.open.dropped, Series: r.series,
		MaxBacklog: r.open.backlog.maxDepth, MaxLag: r.open.backlog.maxLag,
	}
	if r.closed {
		res.Service.Merge(&r.response)
	}
	res.Sent, res.Failed = res.Response.Count(), res.Errors.Count()
	res.OK, res.Due = res.Sent-res.Failed, res.Sent+res.Dropped
	res.Confidence = r.confidence()
	res.Warnings = r.verdict(res)
	return res
}

func (r *run) confidence() (list []Confidence) {
	quantiles := []float64{.5, .99, .999}
	if q := r.Until.Quantile; q > 0 && !slices.Contains(quantiles, q) {
		quantiles = append(quantiles, q)
	}
	for _, q := range quantiles {
		if c, known := r.batches.confidence(&r.response, q); known {
			list = append(list, c)
		}
	}
	return list
}
