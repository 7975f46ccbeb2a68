// Package phase is the lines of Rate where the rate moves: one of the whole run, and one of each
// phase of it.
package phase

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tide"
	"github.com/rpcbench/rpcbench/loadgen"
)

// whole is the phase of the line of the whole run.
const whole = -1

// leaf is a line of a run whose rate moves.
type leaf struct {
	call.Leaf
	*course
	phase int
}

var _ rig.Measurer = leaf{}

// Leaves lists the lines of a run: first that of the whole run, which has all figures that
// lines of Rate have, then those of its phases. One run serves all of them.
func Leaves(c call.Called, o *plan.Options, t *tide.Tide) (list []plan.Leaf) {
	r := &course{tide: t, told: map[int]int{}}
	for i := whole; i < len(t.Phases); i++ {
		name := "all"
		if i != whole {
			name = t.Phases[i].Name
		}
		l := leaf{c.Driven("rate="+t.Name+"/phase="+name, o.Workers), r, i}
		l.Schedule, l.Rate, l.Search = o.Moving(t), t.Mean(), t.Length()
		l.SharesSearch = i != whole
		l.NoRetry = "a call of a phase is made once"
		if c.Streamed || strings.HasPrefix(c.Kind, "mix=") {
			l.Lacks = noParts
		}
		r.numbers = sync.OnceValue(func() *tide.Numbers { return t.Count(l.Schedule) })
		l.Prepare = r.prepare(l.Prepare)
		list = append(list, l)
	}
	return list
}

// noParts says why messages on streams and mixes have no phases.
const noParts = "a rate that moves takes calls of one kind that a worker waits for: Echo, msg= or workload="

// Phased says that the parts of the run have lines of their own.
func (leaf) Phased() {}

// course is the runs of one call at a rate that moves, which its lines share.
type course struct {
	tide    *tide.Tide
	numbers func() *tide.Numbers
	runs    []*run      // one for each -count
	told    map[int]int // of each phase, the lines that have been begun
}

// preparer is what Prepare of a leaf is.
type preparer = func(context.Context, framework.Client, call.Requests) (call.Job, error)

// prepare has each call count for the phase in which it is due.
func (c *course) prepare(job preparer) preparer {
	return func(ctx context.Context, client framework.Client, q call.Requests) (call.Job, error) {
		j, err := job(ctx, client, q)
		if err != nil || j.Call == nil || j.Runs != nil {
			return j, cmp.Or(err, errors.New(noParts))
		}
		j.Runs = c.parted(j)
		return j, nil
	}
}

// parted makes runs of which each phase is a part.
func (c *course) parted(j call.Job) loadgen.Runner {
	numbers := c.numbers()
	m := loadgen.Mix{Pick: numbers.Phase}
	for _, p := range c.tide.Phases {
		m.Calls = append(m.Calls, loadgen.MixedCall{Name: p.Name, Call: j.Call})
	}
	return func(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
		cfg.Interval = c.tide.Window()
		return m.Run(ctx, cfg)
	}
}
