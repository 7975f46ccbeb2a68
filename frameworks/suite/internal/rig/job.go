package rig

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// leaf describes the load of a case. A benchmark that measures in its own way
// embeds leaf, adds its fields and implements measurer.
type leaf struct {
	plan.Spec
	schedule loadgen.Schedule
	what     string // keys of what is called, for searches that lines share
	// patience is how much longer than -watchdog the watchdog waits.
	patience time.Duration
	// noRetry says why a call cannot be made a second time when it has failed; "" if it can.
	noRetry string
	// prepare returns what the workers do. Streams that it opens end with ctx.
	prepare preparer
}

type preparer func(ctx context.Context, c framework.Client, d requestSpec) (job, error)

// requestSpec is what the workers of a load send.
type requestSpec struct {
	workers, size int
	rank          int // of this process among those that make calls
	compressible  bool
	converted     bool          // by a framework.ConvertingClient
	action        string        // of the requests; "" for framework.ActionEcho
	chunk         int           // size in bytes of the messages of a transfer
	patience      time.Duration // how long a stream may take to open
}

// job is what the workers do: one of call, async and runs is set. runs makes the calls of
// whole runs; call then makes those of the warm-up, if the runs need one. check, if set,
// verifies a worker's last reply after the call's end has been stamped.
type job struct {
	call  loadgen.Call
	async loadgen.AsyncCall
	runs  loadgen.Runner
	check func(worker int) error
}

// runner makes the calls of a run.
func (j job) runner() loadgen.Runner {
	switch {
	case j.runs != nil:
		return j.runs
	case j.async != nil:
		return j.async.Runner()
	}
	return j.call.Runner()
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

// loaded implements the interface by which leafOf finds the leaf in a
// benchmark's own type.
func (l leaf) loaded() leaf { return l }

// leafOf returns the leaf of a case.
func leafOf(c plan.Case) leaf { return c.Leaf.(interface{ loaded() leaf }).loaded() }
