package rig

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// count is what a call of Echo costs besides time. It is measured alone, for a gate that
// needs no times.
func count() *plan.Benchmark {
	return &plan.Benchmark{Name: "Count", Unreached: "its counts are those of every run, and a network makes them depend on time", Runs: oneClient, Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		for _, size := range o.Sizes.Values {
			l := countLeaf{echoOf(t, size).driven("", 1)}
			l.schedule, l.Conns = loadgen.ClosedLoop, 1
			l.noRetry, l.Endless = "counts are of a single attempt", true
			list = append(list, l)
		}
		return list
	}}
}

func oneClient(o *plan.Options) error {
	if o.Clients > 1 {
		return fmt.Errorf("%s: counts are of one caller", o.Together())
	}
	return nil
}

type countLeaf struct{ leaf }

// measure makes a pass in the first round of a line. The rounds after it report the same.
func (l countLeaf) measure(r *round) error {
	if err := r.ready(); err != nil {
		return err
	}
	c, err := r.counts()
	if err != nil {
		return r.giveUp(err)
	}
	r.rig.Ledger.warn(r.b.Name(), c.lacks...)
	loadbench.Report(r.b, c.metrics...)
	loadbench.Report(r.b, loadbench.Metric{Unit: "ns/op"}, // none
		loadbench.Metric{Unit: "errors"}, r.connections(false))
	return nil
}
