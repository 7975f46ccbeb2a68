package rig

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// stream is a closed loop over streams that stay open, one per caller. Messages go
// there and back, or one way.
func stream() *plan.Benchmark {
	return &plan.Benchmark{Name: "Stream", Reach: plan.Linked, Windowed: true, Runs: (*plan.Options).OnlyEqualSizes, Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		if !t.Streams {
			return nil
		}
		for _, size := range o.EqualSizes() {
			for _, conc := range o.Concs.Values {
				l := echoLeaf(conc, size)
				l.Keys = fmt.Sprintf("size=%s/conc=%d", plan.FormatSize(size), conc)
				l.prepare, l.noRetry, l.Streamed, l.Endless = preparePingPong, numbered, true, true
				list = append(list, l)
				l.Optional, l.prepare, l.Batch = "/mode=oneway", prepareOneWay, ackEvery
				list = append(list, l)
			}
		}
		return list
	}}
}
