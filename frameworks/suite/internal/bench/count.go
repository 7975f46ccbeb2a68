package bench

import (
	"cmp"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// count is what a call of Echo costs besides time. It is measured alone, for a gate that
// needs no times.
func count(s *rig.Settings) *plan.Benchmark {
	runs := func(o *plan.Options) error {
		return cmp.Or(oneClient(o), o.OnlyOneSize("counts are of 50 calls, too few for a distribution"), s.Unprofiled("counts are of 200 calls, too few for a profile: use Echo"))
	}
	return &plan.Benchmark{Name: "Count", NoNetwork: "its counts are those of every run, and a network makes them depend on time", NoCores: "its counts are of calls by one caller", Runs: runs, Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		for _, c := range counted(o, t) {
			l := countLeaf{c.Driven("", 1)}
			l.Schedule, l.Conns = loadgen.ClosedLoop, 1
			l.NoRetry, l.Endless = "counts are of a single attempt", true
			list = append(list, l)
		}
		return list
	}}
}

// counted lists the calls that are counted: Echo, and messages of a user's own.
func counted(o *plan.Options, t plan.Target) (list []call.Called) {
	for _, size := range o.Sizes.Values {
		list = append(list, call.EchoOf(t, size))
	}
	if t.Sent != nil {
		list = append(list, call.MessageOf(t))
	}
	return list
}

func oneClient(o *plan.Options) error {
	if o.Clients > 1 {
		return fmt.Errorf("%s: counts are of one caller", o.Together())
	}
	return nil
}

type countLeaf struct{ call.Leaf }

var _ rig.Measurer = countLeaf{}

// Measure makes a pass in the first round of a line. The rounds after it report the same.
func (l countLeaf) Measure(r *rig.Round) error {
	if err := r.Ready(); err != nil {
		return err
	}
	c, err := r.Counts()
	if err != nil {
		return r.GiveUp(err)
	}
	r.Rig.Ledger.HasNoFigures(r.Bench.Name(), c.Lacks...)
	loadbench.Report(r.Bench, c.Metrics...)
	loadbench.Report(r.Bench, loadbench.Metric{Unit: "ns/op"}, // none
		loadbench.Metric{Unit: "errors"}, r.Connections(false))
	return nil
}
