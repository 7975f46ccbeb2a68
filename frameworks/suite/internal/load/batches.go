package load

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// batches holds the batches of a run under way at an agent. Each is kept until the next is asked for.
type batches struct {
	end  atomic.Int64            // see Verdict.End; 0 for none
	fail context.CancelCauseFunc // sends no more calls

	mu     sync.Mutex
	change chan struct{} // closed, and made anew, when something changes
	first  int           // the number of the first that is kept
	kept   []*loadgen.Progress
	done   *RunReply
	err    error
}

// errFails is why a run has ended of which rank 0 wants no more.
var errFails = errors.New("no more calls are wanted")

// start begins a run.
func (a *agent) start(s RunRequest) (struct{}, error) {
	if a.load == nil || s.Own == nil {
		return struct{}{}, errUnprepared
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	b := &batches{fail: cancel, change: make(chan struct{})}
	a.batches = b
	go func() {
		reply, err := a.runs(ctx, s, b)
		if context.Cause(ctx) == errFails {
			reply.Error = ""
		}
		b.changed(func() { b.done, b.err = &reply, err })
		cancel(nil)
	}()
	return struct{}{}, nil
}

// step returns a batch of that run, or its end.
func (a *agent) step(q StepRequest) (StepReply, error) {
	b := a.batches
	if b == nil {
		return StepReply{}, errUnprepared
	}
	b.end.CompareAndSwap(0, int64(q.End))
	if q.Fails {
		b.fail(errFails)
	}
	return b.await(q.Batch)
}

// taking has a run tell its batches before anything else is done about its progress.
func (b *batches) taking(next func(loadgen.Progress) error) func(loadgen.Progress) error {
	return func(p loadgen.Progress) error {
		b.take(p)
		return next(p)
	}
}

// ending is a schedule that ends when rank 0 says so. A closed loop has no due times.
func (b *batches) ending(s loadgen.Schedule) loadgen.Schedule {
	if s == loadgen.ClosedLoop {
		return s
	}
	return ending{s, &b.end}
}

// take takes the next batch of the run. The histogram is copied, since it belongs to the run.
func (b *batches) take(p loadgen.Progress) {
	responses := new(loadgen.Histogram)
	responses.Merge(p.Responses)
	p.Responses = responses
	b.changed(func() { b.kept = append(b.kept, &p) })
}

func (b *batches) changed(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do()
	close(b.change)
	b.change = make(chan struct{})
}

// await returns a batch when it is there, and forgets those before it.
func (b *batches) await(number int) (StepReply, error) {
	for {
		reply, change, err := b.look(number)
		if err != nil || reply != (StepReply{}) {
			return reply, err
		}
		<-change
	}
}

func (b *batches) look(number int) (StepReply, chan struct{}, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.first < number && len(b.kept) > 0 {
		b.first, b.kept = b.first+1, b.kept[1:]
	}
	switch {
	case len(b.kept) > 0:
		return StepReply{Batch: b.kept[0]}, nil, nil
	case b.done != nil:
		return StepReply{Done: b.done}, nil, b.err
	}
	return StepReply{}, b.change, nil
}

// ending is a schedule that ends when it is told to, also while its arrivals are drawn.
type ending struct {
	loadgen.Schedule
	end *atomic.Int64 // 0 for never
}

// Start implements loadgen.Schedule.
func (e ending) Start() loadgen.Arrivals { return endingArrivals{e.Schedule.Start(), e.end} }

type endingArrivals struct {
	loadgen.Arrivals
	end *atomic.Int64
}

// Next implements loadgen.Arrivals.
func (a endingArrivals) Next() (due time.Duration, ok bool) {
	due, ok = a.Arrivals.Next()
	end := time.Duration(a.end.Load())
	return due, ok && (end == 0 || due < end)
}
