package loadgen

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Run makes calls as cfg says and returns what it measured. An error without a
// Result says why no run began: a bad Config, a Schedule whose Start panicked, or
// a timer that the system refused. An error with a Result says why the run ended
// early, and the Result holds what was measured until then: the context's error,
// the error that OnProgress returned, a schedule that went backwards, or a
// *PanicError.
//
// When Run returns, all its goroutines have ended, except those whose calls did
// not return within Config.Drain.
func Run(ctx context.Context, cfg Config, call Call) (*Result, error) {
	if call == nil {
		return nil, errors.New("loadgen: the call is nil")
	}
	return execute(ctx, cfg, &run{call: call})
}

// RunAsync is Run for calls that return before they are done. A call ends when
// its done is called, and Workers bounds the calls in flight.
func RunAsync(ctx context.Context, cfg Config, call AsyncCall) (*Result, error) {
	if call == nil {
		return nil, errors.New("loadgen: the call is nil")
	}
	return execute(ctx, cfg, &run{async: call})
}

// Runner makes the calls of a run, as cfg says, and returns what [Run] returns. Mix.Run is
// one, and so is Run with its call given. Packages capacity and loadbench take any.
type Runner func(ctx context.Context, cfg Config) (*Result, error)

// Runner returns the runs of the call.
func (c Call) Runner() Runner {
	return func(ctx context.Context, cfg Config) (*Result, error) { return Run(ctx, cfg, c) }
}

// Runner returns the runs of the call.
func (c AsyncCall) Runner() Runner {
	return func(ctx context.Context, cfg Config) (*Result, error) { return RunAsync(ctx, cfg, c) }
}

// PanicError says that a call, a hook of Config or the Schedule panicked, or ended
// its goroutine.
type PanicError struct {
	Worker int    // the worker whose call, OnCall or Check it was; -1 for another hook
	Hook   string // that other hook, as in "OnStart" or "Schedule"; empty if Worker is not -1
	Value  any    // what panic was given; nil if the goroutine was ended, as t.FailNow does
	Stack  []byte
}

func (e *PanicError) Error() string {
	who := e.Hook
	if who == "" {
		who = fmt.Sprintf("the call of worker %d", e.Worker)
	}
	if e.Value == nil {
		return fmt.Sprintf("loadgen: %s ended its goroutine (runtime.Goexit, t.FailNow or b.Fatal)", who)
	}
	return fmt.Sprintf("loadgen: %s panicked: %v\n%s", who, e.Value, e.Stack)
}

// Unwrap returns Value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errPanicked is the kind of a call that did not return. The PanicError says more.
var errPanicked = errors.New("panicked")

// run is one run. Times in it are offsets from start, where warm-up begins.
type run struct {
	Config
	ctx      context.Context
	call     Call // one of call, async, mixer and carrier is set
	async    AsyncCall
	mixer    *mixer
	carrier  Carrier
	closed   bool
	plain    bool          // a call needs nothing but to be called: no Timeout, Check, OnCall or mix
	end      time.Duration // Warmup + Duration, or never
	endEarly atomic.Int64  // ns: when enough was known, in an open loop; never before that
	ending   chan struct{} // closed when endEarly is set

	start   time.Time
	begun   bool // start is set, and the workers go
	over    bool // supervise has returned
	workers []worker
	shards  []*shard

	ready   sync.WaitGroup // workers that do not run yet
	begin   chan struct{}  // closed loop: closed to let the workers go; in an open loop the token is freed
	batch   int64          // closed loop: calls claimed at once
	taken   atomic.Int64   // closed loop: calls claimed
	numbers atomic.Int64   // closed loop: calls numbered, for OnCall and a mix
	inRun   numbering      // of the calls, among those of other processes

	token  *token
	open   openState // guarded by token
	napper napper
	yielder
	lastDue   atomic.Int64 // ns: latest due time of the arrivals taken, to a millisecond
	lookahead lookahead    // for overdue

	stopping atomic.Bool           // no more calls are to be sent
	stopped  chan struct{}         // closed when stopping
	err      atomic.Pointer[error] // the first that ended the run
	stopAt   time.Duration         // set before stopping is
	stopOnce sync.Once
	wake     func() // the waiting worker, for good

	started   atomic.Int64  // workers that were started
	running   atomic.Int64  // those that have not ended
	allDone   chan struct{} // closed when running is 0
	alive     atomic.Int64  // running workers whose call was not taken from them
	abandoned chan struct{} // closed when calls under way have been counted
	notMade   atomic.Int64  // arrivals taken by workers that might not start a call any more
	lastDone  atomic.Int64  // ns

	recent     atomic.Int64 // ns: service of some recent message of the carrier
	waiting    atomic.Int64 // messages of the carrier that were not answered
	shardsFree bool         // nobody counts any more

	contended [2]contention // before and after the run

	failures failures
	collector
}

// execute runs r, in which only the calls are set.
func execute(ctx context.Context, cfg Config, r *run) (*Result, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return &Result{Closed: isClosed(cfg.Schedule)}, err
	}
	r.Config, r.ctx = cfg.withDefaults(), ctx
	if err := r.prepare(); err != nil {
		return nil, err
	}
	defer r.closeUp()
	r.makeWorkers()
	if r.carrier != nil {
		r.carrier.Begin(&Ledger{r})
	}
	r.launch()
	r.supervise()
	return r.result(), r.error()
}

// prepare makes what a run needs before its workers.
func (r *run) prepare() error {
	r.closed, r.inRun = isClosed(r.Schedule), r.Config.numbering()
	r.plain = r.call != nil && r.Timeout == 0 && r.Check == nil && r.OnCall == nil
	r.end = never
	if r.Duration > 0 {
		r.end = min(r.Warmup+r.Duration, never)
	}
	r.begin, r.ending, r.stopped = make(chan struct{}), make(chan struct{}), make(chan struct{})
	r.allDone, r.abandoned = make(chan struct{}), make(chan struct{})
	r.shards, r.token = newShards(r.counting()), newToken()
	r.batch = min(max(r.Calls/int64(8*r.Workers), 1), 64)
	r.endEarly.Store(int64(never))
	r.setSteps()
	return r.openUp()
}

// counting is how many goroutines may count at one time. Messages are counted by
// more goroutines than there are procs, but in passing: fewer shards stay in the
// caches.
func (r *run) counting() int {
	if r.carrier != nil {
		return min(r.Workers, runtime.GOMAXPROCS(0))
	}
	return r.Workers
}

func (r *run) makeWorkers() {
	r.workers = make([]worker, r.Workers)
	for i := range r.workers {
		w := &r.workers[i]
		w.id, w.shard = i, r.shards[i%len(r.shards)]
		r.enter(w, 0)
		w.due.Store(int64(inNoCall))
		if r.async != nil {
			w.reply = newReply(r)
		}
	}
}

// launch starts the workers, and then the clock. In an open loop it waits until
// all workers are parked: the calls of the first milliseconds would otherwise be
// late because their workers are still being started.
func (r *run) launch() {
	r.token.lock(0)
	for range r.atFirst() {
		r.startWorker()
	}
	r.ready.Wait()
	for !r.closed && r.token.parked.Load() < r.started.Load() {
		time.Sleep(20 * time.Microsecond)
	}
	if r.Warmup == 0 {
		r.hook("OnStart", r.OnStart)
	}
	r.contended[0] = readContention(0)
	r.letGo()
}

// atFirst is how many workers are started before the clock. Those of a carrier are mostly
// needed while Sends are blocked. Thousands of goroutines that do nothing would still cost
// every collection of garbage tens of milliseconds, in which calls are late.
func (r *run) atFirst() int {
	if r.carrier != nil {
		return min(r.Workers, fewWorkers)
	}
	return r.Workers
}

const fewWorkers = 64

// startWorker starts the next worker, if there is one. While the clock runs only a worker
// may call it, so that not all have ended.
func (r *run) startWorker() {
	i := r.started.Add(1) - 1
	if i >= int64(r.Workers) {
		r.started.Store(int64(r.Workers))
		return
	}
	r.ready.Add(1)
	r.running.Add(1)
	r.alive.Add(1)
	go r.work(&r.workers[i])
}

// letGo starts the clock and the workers.
func (r *run) letGo() {
	r.start, r.begun = time.Now(), true
	close(r.begin)
	r.token.unlock()
}

// hook calls f, which may be nil, so that a panic in it ends the run and not the
// process.
func (r *run) hook(name string, f func()) {
	if f == nil {
		return
	}
	returned := false
	defer func() {
		if !returned {
			r.stop(&PanicError{Worker: -1, Hook: name, Value: recover(), Stack: debug.Stack()})
		}
	}()
	f()
	returned = true
}

// supervise returns when every worker has ended or is no longer waited for.
func (r *run) supervise() {
	r.startCollector()
	started := r.startAfterWarmup()
	r.await()
	r.endCarrier()
	if started() {
		r.hook("OnStop", r.OnStop)
	}
	r.contended[1] = readContention(r.now())
	r.stopCollector()
	r.over = true
}

// startAfterWarmup has OnStart called at the end of the warm-up. The function that
// it returns waits for that call if it has begun, and cancels it if not.
func (r *run) startAfterWarmup() (started func() bool) {
	if r.OnStart == nil || r.Warmup == 0 {
		return func() bool { return true }
	}
	called := make(chan struct{})
	timer := time.AfterFunc(r.Warmup-r.now(), func() {
		defer close(called)
		r.hook("OnStart", r.OnStart)
	})
	return func() bool {
		if timer.Stop() {
			return false
		}
		<-called
		return true
	}
}

// closeUp leaves nothing behind, even if a hook has ended Run's goroutine with
// runtime.Goexit: deferred calls are then all that still runs.
func (r *run) closeUp() {
	if !r.over {
		r.unwind()
	}
	r.napper.close()
}

// unwind ends a run from wherever Run's goroutine has left it.
func (r *run) unwind() {
	if !r.begun {
		r.letGo()
	}
	r.stop(nil)
	r.await()
	r.endCarrier()
	if r.finish != nil {
		r.stopCollector()
	}
}

// await returns when all workers have ended. When Drain is over it takes the calls
// that have not returned from their workers, and returns without them. Drain
// counts from the end of Duration, or from when the run was stopped or knew
// enough, if that is earlier; where only Calls or the schedule end the run, overdue
// tells when it is over.
func (r *run) await() {
	last := r.end + r.Drain
	deadline := time.NewTimer(last - r.now())
	defer deadline.Stop()
	look := time.NewTicker(r.lookEvery())
	defer look.Stop()
	answers := time.NewTicker(never)
	defer answers.Stop()
	cancelled, ending, stopped, allDone := r.ctx.Done(), r.ending, r.stopped, r.allDone
	for {
		select {
		case <-allDone:
			if r.carrier == nil || r.carrier.Idle() {
				return
			}
			allDone = nil
			answers.Reset(time.Millisecond)
		case <-answers.C:
			if r.carrier.Idle() {
				return
			}
		case <-deadline.C:
			r.stop(nil)
			r.abandon()
			return
		case <-look.C:
			if over, err := r.overdue(); over {
				r.stop(err)
				r.abandon()
				return
			}
		case <-cancelled:
			cancelled = nil
			r.stop(r.ctx.Err())
		case <-ending:
			ending = nil
			deadline.Reset(min(r.Drain, last-r.now()))
		case <-stopped:
			stopped = nil
			deadline.Reset(min(r.Drain, last-r.now()))
		}
	}
}

// lookEvery is how often to look whether the last call has been due for longer
// than Drain. With a Duration alone there is no need to look: the time is known.
func (r *run) lookEvery() time.Duration {
	if r.Calls == 0 && !finite(r.Schedule) {
		return never
	}
	return min(max(r.Drain/8, 5*time.Millisecond), time.Second)
}

// overdue reports whether the last call has been due for longer than Drain. Without
// this a call whose reply is lost would keep the run for ever. A closed loop does
// not know which call is its last: there the run is overdue when every worker waits
// for a call that it made longer ago than Drain, and in error if more were to come.
func (r *run) overdue() (over bool, err error) {
	since := r.now() - r.Drain
	if r.closed {
		over = r.Calls > 0 && !r.stopping.Load() && r.allInCallsSince(since)
		if over && r.taken.Load() < r.Calls {
			err = fmt.Errorf("loadgen: every worker has waited for its call for longer than Drain, %v, and there are calls to come: set a Timeout, or a longer Drain for calls that take so long", r.Drain)
		}
		return over, err
	}
	if time.Duration(r.lastDue.Load()) > since { // nearly always
		return false, nil
	}
	r.lookahead.advance(since)
	return r.lookahead.over(), nil
}

// allInCallsSince reports whether the workers that have not ended are all in calls
// that they made before a time, and at least one worker is.
func (r *run) allInCallsSince(since time.Duration) (all bool) {
	for i := range r.workers {
		switch due := time.Duration(r.workers[i].due.Load()); {
		case due == ended:
		case due > since: // so is inNoCall
			return false
		default:
			all = true
		}
	}
	return all
}

// stop ends the sending of calls. The first error that it is given is the run's,
// also if it comes from a hook after the end.
func (r *run) stop(err error) {
	if err != nil {
		r.err.CompareAndSwap(nil, &err)
	}
	r.stopOnce.Do(func() {
		if r.stopAt = -1; r.begun {
			r.stopAt = r.now()
		}
		r.stopping.Store(true)
		r.wake()
		close(r.stopped)
	})
}

// error returns why the run ended early; nil if it did not.
func (r *run) error() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// abandon takes the calls that have not returned from their workers and counts
// them as failed, with the time they have taken so far. Workers in no call cannot
// start one any more and end in a moment. abandon waits for them, until no worker
// has ended for a second: a busy machine may take that long to let one run.
func (r *run) abandon() {
	if r.carrier != nil {
		r.awaitAnswers()
		return
	}
	select {
	case <-r.allDone:
		return
	case <-r.abandoned:
		return
	case <-time.After(endGrace):
	}
	now := r.now()
	for i := range r.workers {
		w := &r.workers[i]
		if due, inCall := w.takeCall(); inCall {
			r.alive.Add(-1)
			r.countUnfinished(w, due, now)
		}
	}
	close(r.abandoned)
	waitForNone(&r.alive)
	if r.async != nil { // its workers give up
		waitForNone(&r.running)
	}
	r.lastDone.Store(int64(now))
}

// waitForNone waits until n is 0, as long as it gets smaller within a second.
func waitForNone(n *atomic.Int64) { waitForFew(n, 0) }

// waitForFew waits until n is no more than few.
func waitForFew(n *atomic.Int64, few int64) {
	for left, slept := n.Load(), 0; left > few && slept < 1000; slept++ {
		time.Sleep(time.Millisecond)
		if now := n.Load(); now < left {
			left, slept = now, 0
		}
	}
}

func (r *run) countUnfinished(w *worker, due, now time.Duration) {
	r.unfinished++ // those of the warm-up are worth a warning, too
	if due >= r.Warmup {
		r.failures.add(errUnfinished, now-due, r.stepOf(now))
		w.part.fail(errUnfinished, now-due)
	}
}

// endGrace is the time that calls under way have when Drain is over, so that
// those that end at that moment are not counted as unfinished.
const endGrace = 20 * time.Millisecond

var errUnfinished = errors.New("did not return before the end of the run")

func (r *run) now() time.Duration { return time.Since(r.start) }

// worker is one goroutine that makes calls one after the other.
type worker struct {
	id         int
	shard      *shard
	bank       *bank         // of the shard, for the calls that end now
	due        atomic.Int64  // of the call under way, or one of the values below
	sent       time.Duration // of that call
	returned   bool          // its loop has ended, and not by a panic
	holdsToken bool
	timedOut   bool          // the last call took longer than Timeout
	claimed    int64         // closed loop: calls it may still make
	number     int64         // of the call under way, for OnCall and a mix
	part       *part         // the part of a mix that makes the call
	service    time.Duration // of its last call
	last       time.Duration // when its last call ended
	step       int           // in which calls that end now count
	boundary   time.Duration // the end of that step
	reply      *reply        // asynchronous calls only
	_          [40]byte      // so that no two workers write to one cache line
}

// Values of a worker's due when it is in no call, or in none that it may count. A
// call belongs to the worker that made it until the run takes it away. Worker and
// run both change due by compare-and-swap, so exactly one of them counts a call
// that was made, and none counts a call that was not.
const (
	inNoCall  = never + iota
	noMore    // in no call, and may not start one
	takenAway // in a call that has been counted as unfinished
	ended     // the goroutine has ended
)

// startCall reports whether the worker may still make a call.
func (w *worker) startCall(due, sent time.Duration) bool {
	w.sent = sent
	return w.due.CompareAndSwap(int64(inNoCall), int64(due))
}

// endCall reports whether the call is the worker's to count.
func (w *worker) endCall(due time.Duration) bool {
	return w.due.CompareAndSwap(int64(due), int64(inNoCall))
}

// takeCall takes the call under way from the worker, or keeps it from starting one.
func (w *worker) takeCall() (due time.Duration, inCall bool) {
	for {
		due = time.Duration(w.due.Load())
		switch {
		case due == inNoCall && w.due.CompareAndSwap(int64(due), int64(noMore)):
			return 0, false
		case due > inNoCall:
			return 0, false
		case due < inNoCall && w.due.CompareAndSwap(int64(due), int64(takenAway)):
			return due, true
		}
	}
}

// work is the goroutine of a worker.
func (r *run) work(w *worker) {
	defer r.leave(w)
	r.ready.Done()
	switch {
	case r.closed:
		<-r.begin
		r.closedLoop(w)
	case r.carrier != nil:
		r.carryLoop(w)
	default:
		r.openLoop(w)
	}
	w.returned = true
}

// leave is deferred by work, so that a panic ends the run and not the process.
func (r *run) leave(w *worker) {
	if !w.returned {
		err := &PanicError{Worker: w.id, Value: recover(), Stack: debug.Stack()}
		r.stop(err)
		if w.holdsToken { // the schedule ended the goroutine
			r.token.unlock()
		}
		w.timedOut = false
		if due := time.Duration(w.due.Load()); due < inNoCall && w.endCall(due) {
			now := r.now()
			r.record(w, due, now, now, errPanicked)
		}
	}
	storeMax(&r.lastDone, int64(w.last))
	if time.Duration(w.due.Swap(int64(ended))) != takenAway {
		r.alive.Add(-1)
	}
	if r.running.Add(-1) == 0 {
		close(r.allDone)
	}
}

func storeMax(a *atomic.Int64, v int64) {
	for old := a.Load(); v > old && !a.CompareAndSwap(old, v); old = a.Load() {
	}
}

// closedLoop makes calls back to back. The end of a call is the start of the next,
// so that one reading of the clock serves both.
func (r *run) closedLoop(w *worker) {
	now, ok := r.now(), true
	for ok && r.mayStart(w, now) {
		now, ok = r.makeCall(w, now, now)
	}
}

// mayStart reports whether a closed loop's worker may start a call now. Calls
// are claimed in batches, since one shared counter per call would cost more
// than all the rest.
func (r *run) mayStart(w *worker, now time.Duration) bool {
	if r.stopping.Load() || now >= r.end {
		return false
	}
	if r.Calls == 0 || now < r.Warmup {
		return true
	}
	if w.claimed == 0 {
		left := r.Calls - r.taken.Load()
		n := min(r.batch, max(left/int64(4*r.Workers), 1)) // fewer in the end, or others would have to wait for them
		w.claimed = min(n, r.Calls-r.taken.Add(n)+n)
	}
	w.claimed--
	return w.claimed >= 0
}

// makeCall makes one call, counts it, and returns the time after it; false if the
// run did not let it start, or has taken it away.
func (r *run) makeCall(w *worker, due, sent time.Duration) (now time.Duration, ok bool) {
	if !r.plain {
		return r.makeCallWith(w, due, sent)
	}
	if !w.startCall(due, sent) {
		r.leaveOut(w, due)
		return 0, false
	}
	err := r.call(r.ctx, w.id)
	now = r.now()
	if !w.endCall(due) {
		return 0, false
	}
	r.record(w, due, now, now, err)
	return now, true
}

// leaveOut counts an arrival that a worker took but may not call any more.
func (r *run) leaveOut(w *worker, due time.Duration) {
	if !r.closed && due >= r.Warmup {
		r.notMade.Add(1)
		w.part.drop()
	}
}

// makeCallWith is makeCall for runs that are not plain. The end is stamped before
// Check, and the time it returns is after Check, when the worker is free.
func (r *run) makeCallWith(w *worker, due, sent time.Duration) (now time.Duration, ok bool) {
	r.number(w)
	if !w.startCall(due, sent) {
		r.leaveOut(w, due)
		return 0, false
	}
	if r.OnCall != nil {
		r.OnCall(w.id, Arrival{Number: w.number, Due: r.start.Add(due)})
	}
	err := r.invoke(w)
	done := r.now()
	if w.reply != nil {
		done = w.reply.at
	}
	if r.Check != nil && err == nil {
		err = r.Check(w.id)
	}
	free := done
	if r.Check != nil || w.reply != nil {
		free = r.now()
	}
	if !w.endCall(due) {
		return 0, false
	}
	r.record(w, due, done, free, err)
	return free, true
}

// number says which call the worker is about to make. In an open loop it took the
// number with the arrival.
func (r *run) number(w *worker) {
	if r.closed && (r.OnCall != nil || r.mixer != nil) {
		w.number = r.inRun.of(r.numbers.Add(1) - 1)
	}
	w.part = r.mixer.partOf(w.number)
}

func (r *run) invoke(w *worker) error {
	if r.Timeout > 0 {
		return r.invokeWithin(w)
	}
	return r.invokeIn(r.ctx, w)
}

func (r *run) invokeIn(ctx context.Context, w *worker) error {
	switch {
	case w.reply != nil:
		return w.reply.await(ctx, w.id)
	case w.part != nil:
		return w.part.call(ctx, w.id)
	}
	return r.call(ctx, w.id)
}

func (r *run) invokeWithin(w *worker) error {
	ctx, cancel := context.WithTimeout(r.ctx, r.Timeout)
	defer cancel()
	err := r.invokeIn(ctx, w)
	w.timedOut = err != nil && r.ctx.Err() == nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded))
	return err
}

// record counts a call, unless it was part of the warm-up. It counts in the step of
// the time at which the worker is free, since Check may take longer than a step.
func (r *run) record(w *worker, due, done, free time.Duration, err error) {
	w.last, w.service = done, done-w.sent
	if due < r.Warmup {
		return
	}
	if free >= w.boundary {
		r.enter(w, r.stepOf(free))
	}
	response := done - due
	if err == nil {
		w.bank.record(bucketOf(response))
	} else {
		if w.timedOut { // some frameworks give up a little early
			response = max(response, r.Timeout)
		}
		r.failures.add(err, response, w.step)
	}
	if !r.closed {
		w.shard.service.record(bucketOf(w.service))
		w.shard.lag.record(bucketOf(w.sent - due))
	}
	if w.part != nil {
		w.part.record(response, w.service, w.sent-due, err)
	}
}

// enter makes a worker's calls count in a step.
func (r *run) enter(w *worker, step int) {
	w.step, w.boundary, w.bank = step, r.stepEnd(step), &w.shard.response[step%numBanks]
}
