// Package capacity searches for the highest rate of calls at which a callee meets an
// objective, such as 99 % of the calls within 5 ms. It is for those who ask how many users a
// service can take, and want the uncertainty of the answer beside it.
package capacity

import (
	"context"
	"errors"
	"math"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Find searches for the highest offered rate that meets an objective. It
// doubles the rate until a probe fails, or halves it until one holds, and then
// bisects down to 1 %. A probe starts only when all calls of the previous one have
// returned; after a failed probe, only when a single caller is again answered in
// time, or when that has not happened for 10 s. A search takes one to two minutes,
// and up to five where it needs all of its probes.
//
// A probe lasts until its outcome is certain, or for ProbeTime. It is certain when
// the number of late calls differs from the number that may be late by three
// standard errors, which are taken from how much batches of the probe differ, of
// which there must be 24. With fewer batches a queue that is still growing would
// pass for a short one. An outcome that is not certain by the end is judged by the
// number alone.
//
// In the end a line is fitted through the late calls of all probes near the
// objective, and Rate is where the line meets it: for an M/M/1 queue served
// at μ, P(response > x) = exp(−(μ−λ)x), whose logarithm is a straight line over
// the rate λ. Rate stays within 2 % of the last probes of the bisection.
// The line is fitted to the numbers of late calls, so that a probe which ended early
// because it was low by chance does not make Rate too high.
//
// Where pauses of the callee or of the machine make the late calls, their share
// grows slowly with the rate and changes from probe to probe, and bisection ends
// at a rate that is chance. The fit shows that: probes then go on near the line's
// crossing until it is known to within 5 %, or until MaxProbes, and Rate is the
// line's. Where the
// late calls do not become more with the rate at all, no rate is the answer: the
// warning ErrNotTheRate says so and names an objective that would tell more.
//
// The error is about a bad Config, an objective that a single caller does not see met,
// calls that all fail or do not return, no rate that meets the objective, or the
// error of a run. The Result beside it holds what was found until then; it is
// nil if there was no probe to be made.
//
// The calls are made by run: loadgen.Call(f).Run makes those of one function, and the
// Run of a loadgen.Mix those of several.
func Find(ctx context.Context, c Config, run loadgen.Runner) (*Result, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if run == nil {
		return nil, errors.New("capacity: the Runner is nil")
	}
	f := &finder{Config: c.withDefaults(), ctx: ctx, run: run, fails: math.Inf(1)}
	f.Objective = f.objective()
	if err := f.idle(); err != nil {
		return nil, err
	}
	err := f.search()
	f.conclude()
	return &f.Result, err
}
