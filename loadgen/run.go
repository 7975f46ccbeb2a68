package loadgen

import (
	"runtime/debug"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/cpu"
	"github.com/rpcbench/rpcbench/loadgen/internal/ledger"
	"github.com/rpcbench/rpcbench/loadgen/internal/procs"
)

// run is one run.
type run struct {
	course
	driver    driver
	mixer     *mixer // nil if the run is not of a Mix
	pool      pool
	pacing    pacing
	recording recording
	collector collector
	contended [2]cpu.Usage   // before and after the run
	waits     [2]procs.Waits // likewise
	over      bool           // supervise has returned
}

// driver makes the calls of a run. In some a worker waits for each call; others hand
// messages to a Carrier, which sees their answers elsewhere.
type driver interface {
	// sizes returns how many goroutines may record at one time, and how many workers are
	// started before the clock.
	sizes() (recorders, atFirst int)
	// begin is called when the workers are made, before one is started.
	begin()
	// loop is what each worker does.
	loop(w *worker)
	// overdue reports whether the last call has been due before a time, and the error of
	// the run if it may not go on. Without this a call whose reply is lost would keep the
	// run for ever.
	overdue(since time.Duration) (over bool, err error)
	// idle reports, when all workers have ended, whether no call is under way.
	idle() bool
	// abandon counts what is under way when Drain is over, and does not wait for it.
	abandon()
	// finish is called when the run is over, and reports whether nobody counts any more.
	finish() (free bool)
}

// prepare makes what a run needs before its workers are started.
func (r *run) prepare() error {
	r.recording.Timeline, r.recording.closed = ledger.NewTimeline(r.Warmup, r.Interval), r.closed
	if recorders, _ := r.driver.sizes(); r.mixer == nil {
		r.recording.Shards = bank.Shards(recorders)
	}
	r.pool.work, r.pool.allDone = r.work, make(chan struct{})
	r.pool.workers = make([]worker, r.Workers)
	for i := range r.pool.workers {
		w := &r.pool.workers[i]
		if w.id = i; r.mixer == nil {
			w.shard = r.recording.Shards[i%len(r.recording.Shards)]
		}
		r.recording.enter(w, 0)
		w.due.Store(int64(inNoCall))
	}
	r.pacing.inFlight = r.workersInCalls
	return r.pacing.prepare(&r.course, r.mixer)
}

// workersInCalls reports whether there are workers that are not parked and do not hold the
// token, for the one that holds it. A worker between its call and the token counts as one.
func (r *run) workersInCalls() bool { return r.pool.started.Load()-1 > r.pacing.token.Parked.Load() }

// launch starts the workers, and then the clock. In an open loop it waits until
// all workers are parked: the calls of the first milliseconds would otherwise be
// late because their workers are still being started.
func (r *run) launch() {
	r.pacing.token.Lock(0)
	_, atFirst := r.driver.sizes()
	for range atFirst {
		r.pool.start()
	}
	r.pool.ready.Wait()
	for !r.closed && r.pacing.token.Parked.Load() < r.pool.started.Load() {
		time.Sleep(20 * time.Microsecond)
	}
	if r.Warmup == 0 {
		r.hook("OnStart", r.OnStart)
	}
	r.contended[0], r.waits[0] = cpu.Read(0), procs.Read()
	r.letGo()
}

// letGo starts the clock and the workers.
func (r *run) letGo() {
	r.Begin()
	r.pacing.token.Unlock()
}

// supervise returns when every worker has ended or is no longer waited for.
func (r *run) supervise() {
	r.collector.start(&r.course, &r.recording, r.mixer.list())
	started := r.startAfterWarmup()
	r.await()
	free := r.driver.finish()
	if started() {
		r.hook("OnStop", r.OnStop)
	}
	r.contended[1], r.waits[1] = cpu.Read(r.Now()), procs.Read()
	r.collector.stop(free)
	r.over = true
}

// startAfterWarmup has OnStart called at the end of the warm-up. The function that
// it returns waits for that call if it has begun, and cancels it if not.
func (r *run) startAfterWarmup() (started func() bool) {
	if r.OnStart == nil || r.Warmup == 0 {
		return func() bool { return true }
	}
	called := make(chan struct{})
	timer := time.AfterFunc(r.Warmup-r.Now(), func() {
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
	r.pacing.close()
}

// unwind ends a run from wherever Run's goroutine has left it.
func (r *run) unwind() {
	if !r.HasBegun() {
		r.letGo()
	}
	r.stop(nil)
	r.await()
	free := r.driver.finish()
	if r.collector.finish != nil {
		r.collector.stop(free)
	}
}

// await returns when all workers have ended. When Drain is over it takes the calls
// that have not returned from their workers, and returns without them. Drain
// counts from the end of Duration, or from when the run was stopped or knew
// enough, if that is earlier; where only Calls or the schedule end the run, the
// driver tells when it is over.
func (r *run) await() {
	last := r.end + r.Drain
	deadline := time.NewTimer(last - r.Now())
	defer deadline.Stop()
	look := time.NewTicker(r.lookEvery())
	defer look.Stop()
	answers := time.NewTicker(never)
	defer answers.Stop()
	cancelled, ending, stopped, allDone := r.ctx.Done(), r.ending, r.stopped, r.pool.allDone
	for {
		select {
		case <-allDone:
			if r.driver.idle() {
				return
			}
			allDone = nil
			answers.Reset(time.Millisecond)
		case <-answers.C:
			if r.driver.idle() {
				return
			}
		case <-deadline.C:
			r.stop(nil)
			r.driver.abandon()
			return
		case <-look.C:
			if over, err := r.driver.overdue(r.Now() - r.Drain); over {
				r.stop(err)
				r.driver.abandon()
				return
			}
		case <-cancelled:
			cancelled = nil
			r.stop(r.ctx.Err())
		case <-ending:
			ending = nil
			deadline.Reset(min(r.Drain, last-r.Now()))
		case <-stopped:
			stopped = nil
			deadline.Reset(min(r.Drain, last-r.Now()))
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

// work is the goroutine of a worker.
func (r *run) work(w *worker) {
	defer r.leave(w)
	r.pool.ready.Done()
	r.driver.loop(w)
	w.returned = true
}

// leave is deferred by work, so that a panic ends the run and not the process.
func (r *run) leave(w *worker) {
	if !w.returned {
		err := &PanicError{Worker: w.id, Value: recover(), Stack: debug.Stack()}
		r.stop(err)
		if w.holdsToken { // the schedule ended the goroutine
			r.pacing.token.Unlock()
		}
		w.atLeast = 0
		if due := time.Duration(w.due.Load()); due < inNoCall && w.endCall(due) {
			now := r.Now()
			r.recording.record(w, due, now, now, errPanicked)
		}
	}
	ledger.StoreMax(&r.recording.LastDone, int64(w.last))
	r.pool.end(w)
}
