package call

import (
	"bytes"
	"context"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Sequence gives the calls of a process their sizes: the n-th call that is sent, by whichever
// worker, takes the n-th size. Each run begins it anew, so that runs of different frameworks
// have the same sizes in the same order. The methods of nil are those of calls of one size.
type Sequence struct {
	sizes *spread.Spread
	first uint64 // of the sizes, with which a run begins
	_     [64]byte
	next  atomic.Uint64 // call of the run, counted from 0
	_     [56]byte      // all workers write to it
}

// NewSequence returns the sequence of a process that is one of ranks, or the only one if they
// are 0 or 1; nil for nil. Each rank walks through all sizes and begins at another place, so that
// all together have the distribution before one of them has been through.
func NewSequence(sizes *spread.Spread, rank, ranks int) *Sequence {
	if sizes == nil {
		return nil
	}
	return &Sequence{sizes: sizes, first: uint64(sizes.Len() * rank / max(ranks, 1))}
}

// take returns the size of the next call.
func (s *Sequence) take() int { return int(s.sizes.At(s.first + s.next.Add(1) - 1)) }

// Over returns run, before each of which the sequence begins anew.
func (s *Sequence) Over(run loadgen.Runner) loadgen.Runner {
	if s == nil {
		return run
	}
	return func(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
		s.next.Store(0)
		return run(ctx, cfg)
	}
}

// Taken is what the calls of a run took of a Sequence. The zero Taken is of calls of one size.
type Taken struct {
	Calls, Bytes, Largest int64
}

// Taken is what the calls have taken since the last run began.
func (s *Sequence) Taken() (t Taken) {
	if s == nil {
		return Taken{}
	}
	calls, all := s.next.Load(), uint64(s.sizes.Len())
	for n := range min(calls, all) {
		size, times := s.sizes.At(s.first+n), calls/all
		if n < calls%all {
			times++
		}
		t.Bytes, t.Largest = t.Bytes+size*int64(times), max(t.Largest, size)
	}
	t.Calls = int64(calls)
	return t
}

// And is what two processes have taken together.
func (t Taken) And(u Taken) Taken {
	return Taken{t.Calls + u.Calls, t.Bytes + u.Bytes, max(t.Largest, u.Largest)}
}

// TakenOf is each size of a distribution once; the zero Taken of nil.
func TakenOf(sizes *spread.Spread) Taken {
	s := NewSequence(sizes, 0, 1)
	if s != nil {
		s.next.Store(uint64(sizes.Len()))
	}
	return s.Taken()
}

// Metrics are the sizes that calls took, and the bytes of as many correct replies a second.
func (t Taken) Metrics(rate float64) []loadbench.Metric {
	if t.Calls == 0 {
		return nil
	}
	mean := float64(t.Bytes) / float64(t.Calls)
	return []loadbench.Metric{
		{Value: mean * rate / 1e6, Unit: "MB/s"},
		{Value: mean, Unit: "payload-mean-B"},
		{Value: float64(t.Largest), Unit: "payload-largest-B"},
	}
}

// varied are the payloads of a worker's calls whose sizes vary. One of up to numberedSize bytes
// is the first bytes of the worker's own memory, which begins with the number. A larger one is a
// slice of the array.
type varied struct {
	sequence *Sequence
	own      []byte
}

// vary gives the request its next size, in place unless the last call is not over.
func (t *turn) vary() {
	if t.unsure {
		t.varied.own = bytes.Clone(t.varied.own)
	}
	n, own := t.varied.sequence.take(), t.varied.own
	if n > numberedSize {
		t.move(n)
		return
	}
	increment(own)
	t.request.Msg = own[:n:n]
}

// variedTurns is turns for sizes that vary.
func (q Requests) variedTurns() (requests []framework.EchoMessage, turns []turn) {
	q.Size = max(int(q.Sizes.sizes.Largest()), NumberSize)
	array, own := q.Payloads(), q
	own.Size = min(q.Size, numberedSize)
	requests, turns = own.requestsOf(array), make([]turn, q.Workers)
	for i := range turns {
		turns[i] = turn{request: &requests[i], array: array, start: i, workers: q.Workers, varied: &varied{q.Sizes, requests[i].Msg}}
	}
	return requests, turns
}
