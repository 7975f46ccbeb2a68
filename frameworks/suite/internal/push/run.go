package push

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// run is what messages count in.
type run struct {
	id     uint64
	load   *Load
	ledger *carrier.Ledger // of an open loop; nil for a closed one
	began  time.Time       // of a closed loop
	warmup time.Duration
	claims atomic.Int64 // messages still to be asked for
	calls  bool         // claims bounds them
	open   atomic.Int64 // pushes that have not been received
	shards []shard

	unfinished bool // some were not received
}

// shard counts the messages of some receivers.
type shard struct {
	mu          sync.Mutex
	all, failed loadgen.Histogram // of a closed loop
	kinds       map[string]int64  // of errors of a closed loop
	first, last part
	_           [64]byte
}

// part is the messages that are the first of their pushes, or the last.
type part struct{ response, service, lag loadgen.Histogram }

func newRun(l *Load, cfg loadgen.Config) *run {
	r := &run{load: l, began: time.Now(), warmup: cfg.Warmup, calls: cfg.Calls > 0 && cfg.Warmup == 0}
	r.claims.Store(cfg.Calls)
	r.shards = make([]shard, min(len(l.ins), runtime.GOMAXPROCS(0)))
	for i := range r.shards {
		r.shards[i].allocate()
	}
	return r
}

// allocate allocates the memory of the histograms before the run, whose own allocations are
// measured.
func (s *shard) allocate() {
	for _, h := range []*loadgen.Histogram{&s.all, &s.first.response, &s.first.service, &s.first.lag, &s.last.response, &s.last.service, &s.last.lag} {
		h.Record(0, 0)
	}
}

// claim returns of how many messages the next push is, at most n.
func (r *run) claim(n int) int {
	if !r.calls {
		return n
	}
	left := r.claims.Add(-int64(n)) + int64(n)
	return int(min(max(left, 1), int64(n)))
}

// now is the time since the run began. Outside a run it is 0.
func (r *run) now() time.Duration {
	switch {
	case r == nil:
		return 0
	case r.ledger == nil:
		return time.Since(r.began)
	}
	return r.ledger.Now()
}

// tell counts a message that was received.
func (r *run) tell(i *in, p *push, wrong error) {
	at, due, sent := r.now(), p.due, time.Duration(p.sent.Load())
	seen := int(p.seen.Add(1))
	switch {
	case r.ledger == nil:
	case wrong != nil:
		r.ledger.Fail(wrong, due, sent, at)
	default:
		i.recorder.Answered(r.ledger, i.number, due, sent, at)
	}
	if r.ledger != nil && seen > 1 && seen < p.messages || due < r.warmup {
		return
	}
	s := &r.shards[i.number%len(r.shards)]
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.ledger == nil {
		s.count(at-due, 1, wrong)
	}
	if seen == 1 {
		s.first.add(due, sent, at)
	}
	if seen == p.messages && seen > 1 {
		s.last.add(due, sent, at)
	}
}

func (p *part) add(due, sent, at time.Duration) {
	p.response.Record(at-due, 1)
	p.service.Record(at-sent, 1)
	p.lag.Record(sent-due, 1)
}

func (s *shard) count(response time.Duration, n int, wrong error) {
	s.all.Record(response, int64(n))
	if wrong == nil {
		return
	}
	s.failed.Record(response, int64(n))
	if s.kinds == nil {
		s.kinds = map[string]int64{}
	}
	s.kinds[wrong.Error()] += int64(n)
}

// fail counts n messages of a push that were not received.
func (r *run) fail(err error, p *push, n int, at time.Duration) {
	if r.ledger == nil {
		r.shards[0].mu.Lock()
		defer r.shards[0].mu.Unlock()
		r.shards[0].count(at-p.due, n, err)
		return
	}
	for range n {
		r.ledger.Fail(err, p.due, time.Duration(p.sent.Load()), at)
	}
}

// failAll counts n messages that could not be asked for in a closed loop.
func (r *run) failAll(err error, n int) {
	r.shards[0].mu.Lock()
	defer r.shards[0].mu.Unlock()
	r.shards[0].count(0, n, err)
}

// result makes that of messages of that of the pushes of a closed loop. It has no Series, and
// no Confidence: they would be of pushes.
func (r *run) result(pushes *loadgen.Result) *loadgen.Result {
	res := &loadgen.Result{Closed: true, Elapsed: pushes.Elapsed, MaxAt: pushes.MaxAt}
	kinds := map[string]int64{}
	for i := range r.shards {
		s := &r.shards[i]
		res.Response.Merge(&s.all)
		res.Errors.Merge(&s.failed)
		for text, n := range s.kinds {
			kinds[text] += n
		}
	}
	res.Service.Merge(&res.Response)
	count(res)
	for text, n := range kinds {
		res.ErrorKinds = append(res.ErrorKinds, loadgen.ErrorKind{Text: text, Count: n})
	}
	slices.SortFunc(res.ErrorKinds, func(a, b loadgen.ErrorKind) int { return int(b.Count - a.Count) })
	for _, w := range pushes.Warnings {
		if !errors.Is(w, loadgen.ErrFewCalls) && !errors.Is(w, loadgen.ErrFluctuates) {
			res.Warnings = append(res.Warnings, w)
		}
	}
	r.addParts(res)
	return res
}

func count(res *loadgen.Result) {
	res.Sent, res.Failed = res.Response.Count(), res.Errors.Count()
	res.OK, res.Due = res.Sent-res.Failed, res.Sent+res.Dropped
}

// addParts adds the first and the last messages of the pushes, if these are two.
func (r *run) addParts(res *loadgen.Result) {
	if r.load.Messages == 1 {
		return
	}
	first, last := &loadgen.Result{Closed: res.Closed, Elapsed: res.Elapsed}, &loadgen.Result{Closed: res.Closed, Elapsed: res.Elapsed}
	for i := range r.shards {
		r.shards[i].first.addTo(first)
		r.shards[i].last.addTo(last)
	}
	res.Parts = []loadgen.Part{{Name: "first", Result: first}, {Name: "last", Result: last}}
}

func (p *part) addTo(res *loadgen.Result) {
	res.Response.Merge(&p.response)
	res.Service.Merge(&p.service)
	if !res.Closed {
		res.Lag.Merge(&p.lag)
	}
	count(res)
}
