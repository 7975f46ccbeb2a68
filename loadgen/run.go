package loadgen

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Run makes calls as cfg says and returns what it measured. The error is that
// of a bad Config, before anything was sent; or it says why the run ended
// early, beside the Result of what was measured until then: the context's
// error, one that Progress returned, a schedule that went backwards, or a
// *PanicError.
//
// When Run returns, all its goroutines have ended, but for calls that did not
// return within Config.Drain.
func Run(ctx context.Context, cfg Config, call Call) (*Result, error) {
	if call == nil {
		return nil, errors.New("loadgen: the call is nil")
	}
	return newRun(ctx, cfg, call, nil)
}

// RunAsync is Run for calls that return before they are done. The end of a
// call is stamped in done, and Workers bounds the calls in flight.
func RunAsync(ctx context.Context, cfg Config, call AsyncCall) (*Result, error) {
	if call == nil {
		return nil, errors.New("loadgen: the call is nil")
	}
	return newRun(ctx, cfg, nil, call)
}

// PanicError says that a call, a Check or a Schedule panicked or ended its
// goroutine.
type PanicError struct {
	Worker int // -1: the schedule
	Value  any // nil: runtime.Goexit, as t.FailNow does
	Stack  []byte
}

func (e *PanicError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("loadgen: worker %d: the call ended its goroutine (runtime.Goexit, t.FailNow or b.Fatal)", e.Worker)
	}
	return fmt.Sprintf("loadgen: worker %d panicked: %v\n%s", e.Worker, e.Value, e.Stack)
}

// run is one run. Times in it are offsets from start, where warm-up begins.
type run struct {
	Config
	ctx      context.Context
	call     Call
	async    AsyncCall
	closed   bool
	plain    bool          // a call needs nothing but to be called
	end      time.Duration // Duration's, or never
	endEarly atomic.Int64  // ns: an open loop's end once enough is known, else never
	ending   chan struct{} // closed when endEarly is set

	start   time.Time
	workers []worker
	shards  []*shard

	ready sync.WaitGroup // workers that do not run yet
	begin chan struct{}  // closed loop: closed to let them go; in an open one the token does
	batch int64          // closed loop: calls claimed at once
	taken atomic.Int64   // closed loop: calls claimed

	token  *token
	open   openState // guarded by token
	napper napper
	yielder

	stopping atomic.Bool   // no more calls are to be sent
	stopped  chan struct{} // closed when stopping
	stopErr  error         // guarded by stopOnce
	stopAt   time.Duration // guarded by stopOnce
	stopOnce sync.Once

	running  atomic.Int64  // workers that have not ended
	allDone  chan struct{} // closed when running is 0
	lastDone atomic.Int64  // ns

	contended [2]contention // before and after

	failures failures
	collector
}

func newRun(ctx context.Context, cfg Config, call Call, async AsyncCall) (*Result, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	r := &run{Config: cfg.withDefaults(), ctx: ctx, call: call, async: async, end: never, closed: cfg.Schedule == ClosedLoop}
	r.plain = async == nil && r.Timeout == 0 && r.Check == nil
	if r.Duration > 0 {
		r.end = min(r.Warmup+r.Duration, never)
	}
	r.begin, r.ending, r.stopped, r.allDone = make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	r.shards, r.token = newShards(r.Workers), newToken()
	r.batch = min(max(r.Calls/int64(8*r.Workers), 1), 64)
	r.endEarly.Store(int64(never))
	if err := r.openUp(); err != nil {
		return nil, err
	}
	defer r.closeUp()
	r.makeWorkers()
	r.launch()
	r.supervise()
	return r.result(), r.stopErr
}

func (r *run) makeWorkers() {
	r.workers = make([]worker, r.Workers)
	for i := range r.workers {
		w := &r.workers[i]
		w.id, w.shard, w.boundary = i, r.shards[i%len(r.shards)], r.Warmup+r.Interval
		w.due.Store(int64(never))
		w.published = -never
		if r.async != nil {
			w.reply = newReply(r)
		}
	}
}

// launch starts the workers, and the clock only when all of them are parked:
// the calls of the first milliseconds would be late otherwise.
func (r *run) launch() {
	r.token.lock()
	r.ready.Add(r.Workers)
	r.running.Store(int64(r.Workers))
	for i := range r.workers {
		go r.work(&r.workers[i])
	}
	r.ready.Wait()
	for !r.closed && r.token.parked.Load() < int64(r.Workers) {
		time.Sleep(20 * time.Microsecond)
	}
	r.contended[0] = readContention(0)
	if r.OnStart != nil && r.Warmup == 0 {
		r.OnStart()
	}
	r.start = time.Now()
	close(r.begin)
	r.token.unlock()
}

// supervise returns when every worker has ended or is no longer waited for.
func (r *run) supervise() {
	r.startCollector()
	if r.OnStart != nil && r.Warmup > 0 {
		warm := time.AfterFunc(r.Warmup-r.now(), r.OnStart)
		defer warm.Stop()
	}
	r.await()
	if r.OnStop != nil {
		r.OnStop()
	}
	r.contended[1] = readContention(r.now())
	r.stopCollector()
}

func (r *run) await() {
	last := r.end + r.Drain
	deadline := time.NewTimer(last - r.now())
	defer deadline.Stop()
	cancelled, ending, stopped := r.ctx.Done(), r.ending, r.stopped
	for {
		select {
		case <-r.allDone:
			return
		case <-deadline.C:
			r.stop(nil)
			r.abandon()
			return
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

// stop ends the sending of calls; the first error given is the run's.
func (r *run) stop(err error) {
	r.stopOnce.Do(func() {
		r.stopErr, r.stopAt = err, r.now()
		r.stopping.Store(true)
		r.napper.interrupt()
		close(r.stopped)
	})
}

// abandon counts the calls that have not returned as failed, with the time
// they have taken so far. Workers that are in no call end in a moment.
func (r *run) abandon() {
	select {
	case <-r.allDone:
		return
	case <-time.After(endGrace):
	}
	now := r.now()
	for i := range r.workers {
		w := &r.workers[i]
		if due := time.Duration(w.due.Load()); !w.ended.Load() && due >= r.Warmup && due < never && w.settle() {
			r.failures.add(errUnfinished, now-due, r.intervalOf(now))
			w.shard.response.record(r.intervalOf(now), now-due)
			r.unfinished++
		}
	}
	r.lastDone.Store(int64(now))
}

const endGrace = 20 * time.Millisecond

var errUnfinished = errors.New("did not return before the end of the run")

func (r *run) now() time.Duration { return time.Since(r.start) }

func (r *run) intervalOf(t time.Duration) int { return int(max(t-r.Warmup, 0) / r.Interval) }

// worker is one goroutine that makes calls one after the other.
type worker struct {
	id        int
	shard     *shard
	due       atomic.Int64  // of the call under way, see publish; never before the first
	ended     atomic.Bool   // the goroutine has
	settled   atomic.Bool   // the call under way when the run was stopped is counted
	returned  bool          // its loop came to the end
	timedOut  bool          // the last call did
	published time.Duration // due, as the worker last stored it
	claimed   int64         // closed loop: calls it may still make
	service   time.Duration // of its last call
	last      time.Duration // when its last call ended
	interval  int           // of the calls that end now
	boundary  time.Duration // the end of that interval
	reply     *reply        // of asynchronous calls
	_         [48]byte      // a cache line of its own
}

// settle reports whether the call under way when the run was stopped is the
// caller's to count: it may come back just when it is abandoned.
func (w *worker) settle() bool { return w.settled.CompareAndSwap(false, true) }

func (r *run) work(w *worker) {
	defer r.leave(w)
	r.ready.Done()
	if r.closed {
		<-r.begin
		r.closedLoop(w)
	} else {
		r.openLoop(w)
	}
	w.returned = true
}

// leave is deferred by work, so that a panic ends the run and not the process.
func (r *run) leave(w *worker) {
	if !w.returned {
		r.stop(&PanicError{Worker: w.id, Value: recover(), Stack: debug.Stack()})
		r.record(w, w.published, w.published, r.now(), r.stopErr)
	}
	storeMax(&r.lastDone, int64(w.last))
	w.ended.Store(true)
	if r.running.Add(-1) == 0 {
		close(r.allDone)
	}
}

func storeMax(a *atomic.Int64, v int64) {
	for old := a.Load(); v > old && !a.CompareAndSwap(old, v); old = a.Load() {
	}
}

// closedLoop makes calls back to back. A call's end is the next one's start.
func (r *run) closedLoop(w *worker) {
	for now := r.now(); r.mayStart(w, now); {
		now = r.makeCall(w, now, now)
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
		end := r.taken.Add(r.batch)
		w.claimed = min(r.batch, r.Calls-end+r.batch)
	}
	w.claimed--
	return w.claimed >= 0
}

// makeCall makes one call, counts it, and returns when it ended.
func (r *run) makeCall(w *worker, due, sent time.Duration) (done time.Duration) {
	w.publish(due)
	if !r.plain {
		return r.makeCallWith(w, due, sent)
	}
	err := r.call(r.ctx, w.id)
	done = r.now()
	r.record(w, due, sent, done, err)
	return done
}

// publish tells others when the call under way was due, for abandon. A store
// that they see takes as long as recording, so it is spared while calls are
// short: what is published may then be a little early.
func (w *worker) publish(due time.Duration) {
	if due-w.published >= publishEvery {
		w.published = due
		w.due.Store(int64(due))
	}
}

const publishEvery = 100 * time.Microsecond

// makeCallWith is makeCall with what some configurations need.
func (r *run) makeCallWith(w *worker, due, sent time.Duration) time.Duration {
	err := r.invoke(w)
	done := r.now()
	if w.reply != nil {
		done = w.reply.at
	}
	if r.Check != nil && err == nil {
		err = r.Check(w.id)
	}
	r.record(w, due, sent, done, err)
	return r.now()
}

func (r *run) invoke(w *worker) error {
	if r.Timeout > 0 {
		return r.invokeWithin(w)
	}
	if w.reply != nil {
		return w.reply.await(r.ctx, w.id)
	}
	return r.call(r.ctx, w.id)
}

func (r *run) invokeWithin(w *worker) error {
	ctx, cancel := context.WithTimeout(r.ctx, r.Timeout)
	defer cancel()
	var err error
	if w.reply != nil {
		err = w.reply.await(ctx, w.id)
	} else {
		err = r.call(ctx, w.id)
	}
	w.timedOut = err != nil && r.ctx.Err() == nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded))
	return err
}

// record counts a call, unless it was part of the warm-up or was abandoned.
func (r *run) record(w *worker, due, sent, done time.Duration, err error) {
	w.last = done
	if r.stopping.Load() && !w.settle() {
		return
	}
	w.service = done - sent
	if due < r.Warmup {
		return
	}
	for done >= w.boundary {
		w.interval++
		w.boundary += r.Interval
	}
	response := done - due
	if err != nil {
		if w.timedOut { // some frameworks give up a little early
			response = max(response, r.Timeout)
		}
		r.failures.add(err, response, w.interval)
	}
	w.shard.response.record(w.interval, response)
	if !r.closed {
		w.shard.service.record(w.interval, done-sent)
		w.shard.lag.record(w.interval, sent-due)
	}
}
