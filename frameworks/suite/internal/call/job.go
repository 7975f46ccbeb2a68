// Package call is what a benchmark calls: Echo of payloads, the bench message, messages on
// streams, transfers and mixes. A Leaf says what a case calls and how it is driven. It makes
// the requests, keeps the replies, and compares them when the end of a call has been stamped.
package call

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Leaf describes the load of a case. A benchmark that measures in its own way
// embeds Leaf, adds its fields and implements rig.Measurer.
type Leaf struct {
	plan.Spec
	Schedule loadgen.Schedule
	What     string // keys of what is called, for searches that lines share
	// Patience is how much longer than -watchdog the watchdog waits.
	Patience time.Duration
	// NoRetry says why a call cannot be made a second time when it has failed; "" if it can.
	NoRetry string
	// Prepare returns what the workers do. Streams that it opens end with ctx.
	Prepare preparer
}

type preparer func(ctx context.Context, c framework.Client, d Requests) (Job, error)

// Requests is what the workers of a load send.
type Requests struct {
	Workers, Size int
	Sizes         *Sequence // of the calls; nil: all have the same Size
	Compressible  bool
	Converted     bool          // by a variant that Converts
	Action        string        // of the requests; "" for handler.ActionEcho
	Chunk         int           // size in bytes of the messages of a transfer
	Patience      time.Duration // how long a stream may take to open
}

// Job is what the workers do: one of call, async and runs is set. runs makes the calls of
// whole runs; call then makes those of the warm-up, if the runs need one. check, if set,
// verifies a worker's last reply after the call's end has been stamped. Each run begins Sizes
// anew; nil: all calls have one size.
type Job struct {
	Call  loadgen.Call
	Async loadgen.AsyncCall
	Runs  loadgen.Runner
	Check func(worker int) error
	Sizes *Sequence
}

// Runner makes the calls of a run.
func (j Job) Runner() loadgen.Runner { return j.Sizes.Over(j.runner()) }

func (j Job) runner() loadgen.Runner {
	switch {
	case j.Runs != nil:
		return j.Runs
	case j.Async != nil:
		return j.Async.Run
	}
	return j.Call.Run
}

// afresh returns a call before which begin is called. It forgets the reply to the worker's
// last call, since one that failed after its reply was kept was not checked, and changes the
// request.
func afresh(begin func(worker int), call loadgen.Call) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		begin(worker)
		return call(ctx, worker)
	}
}

// loaded implements the interface by which LeafOf finds the Leaf in a
// benchmark's own type.
func (l Leaf) loaded() Leaf { return l }

// LeafOf returns the leaf of a case.
func LeafOf(c plan.Case) Leaf { return c.Leaf.(interface{ loaded() Leaf }).loaded() }

// As returns c as the interface C. The error says that the variant promised C
// and its client does not implement it.
func As[C framework.Client](c framework.Client) (C, error) {
	as, ok := c.(C)
	if !ok {
		return as, fmt.Errorf("the client must be a %v, by what the variant says of itself", reflect.TypeFor[C]())
	}
	return as, nil
}
