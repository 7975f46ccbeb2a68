package rig

import (
	"errors"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// count is what a call of Echo costs besides time. It is measured alone, for a gate that
// needs no times.
func count() *plan.Benchmark {
	return &plan.Benchmark{Name: "Count", Runs: oneClient, Cases: func(o *plan.Options, _ plan.Target) (list []plan.Leaf) {
		for _, size := range o.Sizes.Values {
			l := countLeaf{echoLeaf(1, size)}
			l.Keys, l.Conns = "size="+plan.FormatSize(size), 1
			list = append(list, l)
		}
		return list
	}}
}

func oneClient(o *plan.Options) error {
	if o.Clients > 1 {
		return errors.New("Count makes the calls of one caller: leave -clients out")
	}
	return nil
}

type countLeaf struct{ leaf }

// measure makes a pass in the first round of a line. The rounds after it report the same.
func (l countLeaf) measure(r *round) error {
	if err := r.ready(); err != nil {
		return err
	}
	if r.n == 1 || r.counted == nil {
		c, err := r.count(r.b.Context(), r.load.(*local), r.Size)
		if err != nil {
			return r.giveUp(err)
		}
		r.counted = &c
	}
	r.rig.Ledger.warn(r.b.Name(), r.counted.lacks...)
	r.b.ResetTimer()
	loadbench.Report(r.b, r.counted.metrics...)
	loadbench.Report(r.b, loadbench.Metric{Unit: "ns/op"}, // none
		loadbench.Metric{Unit: "errors"}, loadbench.Metric{Value: float64(r.conns(r.Case)), Unit: "conns"})
	return nil
}
