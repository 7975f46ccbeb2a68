package loadgen

import (
	"runtime"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/cpu"
	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// result puts the parts together.
func (r *run) result() *Result {
	if !r.closed && r.pacing.token.TryLock() {
		r.pacing.dropRest()
		r.pacing.token.Unlock() // a worker whose call comes back late finds no more arrivals
	}
	res := &Result{
		Closed: r.closed, Elapsed: max(time.Duration(r.recording.LastDone.Load())-r.Warmup, 0),
		ErrorKinds: r.errorKinds(), Dropped: r.pacing.open.dropped + r.recording.NotMade.Load(),
		MaxBacklog: r.pacing.open.backlog.MaxDepth, MaxLag: r.pacing.open.backlog.MaxLag,
	}
	r.collector.whole.result(res, r.Warmup)
	for _, p := range r.collector.parts {
		res.Parts = append(res.Parts, Part{p.name, p.result(res, r.Warmup)})
	}
	res.Confidence = r.collector.whole.batches.confidences(&res.Response, r.collector.quantiles())
	res.Warnings = r.verdict(res)
	r.collector.free()
	return res
}

// errorKinds are the kinds of failures of the run. The parts of a mix have counted theirs.
func (r *run) errorKinds() []ErrorKind {
	if r.mixer == nil {
		return listOf(r.recording.Failures.Kinds)
	}
	var lists [][]ErrorKind
	for _, p := range r.mixer.parts {
		lists = append(lists, listOf(p.failures.Kinds))
	}
	return joinKinds(failure.MaxKinds, lists...)
}

// verdict lists the reasons not to trust a result.
func (r *run) verdict(res *Result) warnings {
	var w warnings
	w.add(r.recording.unfinished > 0, ErrUnfinished, "%d within %v after the end", r.recording.unfinished, r.Drain)
	w.add(res.Dropped > 0, ErrDropped, "%d of %d that were due", res.Dropped, res.Due)
	w.add(res.Sent > 0 && res.OK == 0, ErrAllFailed, "%s", foreign.Line(res.Failures()))
	if !r.closed {
		late := r.pacing.open.lateFree*100 > res.Due
		w.add(late, ErrGenerator, "%d of %d calls due were more than %v late while a worker was free", r.pacing.open.lateFree, res.Due, r.Slack+lateness)
		if late {
			procs := runtime.GOMAXPROCS(0)
			w = append(w, crowded(procs, r.waits[1].Since(r.waits[0], .99), r.contended[1].OwnSince(r.contended[0], procs))...)
		}
		offered, achieved, behind := r.pacing.rates(res)
		w.add(achieved < .99*offered && behind > 10*time.Millisecond, ErrBehind, "%.0f calls/s of %.0f were sent in time", achieved, offered)
	}
	if res.Elapsed > time.Second/4 { // CPU time is counted in hundredths of a second
		w = append(w, contended(r.closed, r.contended[1], r.contended[0])...)
	}
	w = append(w, res.stall()...)
	if u := r.Until; u != (Precision{}) {
		w.add(!r.collector.precise(&res.Response), ErrImprecise, "%s is not known to ±%.3g %%: a longer Duration is needed", figure.Percentile(u.Quantile), u.Within*100)
	}
	w = append(w, r.collector.whole.batches.doubts(&res.Response, r.collector.quantiles()...)...)
	return append(w, fewCalls(res.Sent)...)
}

// crowded warns of calls whose own work kept the generator from sending others: of how long
// goroutines waited for a processor, and of the share of the processors that they used.
func crowded(procs int, waited time.Duration, used float64) (w warnings) {
	w.add(waited >= lateness/2 && used >= muchOwn, ErrProcs, "goroutines waited for one of %d (GOMAXPROCS), p99 %v, and this process used %.0f %% of them: the calls need more procs, or a second process that makes some of them", procs, figure.Short(waited), used*100)
	return w
}

// stall warns of a call of a closed loop that took 1 % of the run: had the callee stood still
// for all calls then, the p99 of an open loop would be one of theirs. Pauses of less than
// 100 ms are those of a runtime and a machine, and every short run has some.
func (r *Result) stall() (w warnings) {
	longest, factor := r.hidden()
	w.add(r.Closed && longest >= leastStall && longest >= r.Elapsed/100, ErrStall, "it took %v, %.0f × p99, and ended %v after the start, in a run of %v; an open loop shows all that waited", figure.Short(longest), factor, figure.Short(r.MaxAt), figure.Short(r.Elapsed))
	return w
}

// hidden is the longest response, and how much longer it is than p99; 0 if p99 shows it.
func (r *Result) hidden() (longest time.Duration, factor float64) {
	longest = r.Response.Max()
	factor = float64(longest) / float64(max(r.Response.Quantile(.99), 1))
	if factor < farBeyond {
		return 0, 0
	}
	return longest, factor
}

const (
	farBeyond  = 100 // times p99
	leastStall = 100 * time.Millisecond
)

// Shares of the CPU time above which figures are not to be trusted.
const (
	muchOwn    = .50 // of the procs, used by the process whose goroutines waited for one
	muchOthers = .10 // used by others, if the CPUs were full
	muchBusy   = .95 // not idle: the CPUs are full above this
	muchStolen = .02 // by the machine's host: all calls of an open loop that are due then are late
)

// contended warns of what took the CPUs between two readings. In a closed loop only the calls in
// flight are late then, and runs that lost 3 % to the host have the figures of others.
func contended(closed bool, after, before cpu.Usage) (w warnings) {
	others, busy, stolen := after.Since(before)
	much := muchStolen
	if closed {
		much = muchOthers
	}
	w.add(!closed && others > muchOthers && busy > muchBusy, ErrBusy, "other processes took %.0f %%, the callee's among them if it is here", others*100)
	w.add(stolen > much, ErrHost, "%.0f %%", stolen*100)
	return w
}
