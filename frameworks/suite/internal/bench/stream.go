package bench

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// stream is a closed loop over streams that stay open, one per caller. Messages go
// there and back, or one way; or many come for each that goes there.
func stream(m *call.Menu) *plan.Benchmark {
	return &plan.Benchmark{Name: "Stream", Windowed: true, Runs: (*plan.Options).OnlyEqualSizes, Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		if !t.Streams {
			return nil
		}
		for _, size := range o.EqualSizes() {
			for _, conc := range o.Concs.Values {
				l := call.EchoLeaf(conc, size)
				l.Keys = fmt.Sprintf("size=%s/conc=%d", plan.FormatSize(size), conc)
				l.Prepare, l.NoRetry, l.Streamed, l.Endless = call.PreparePingPong, call.Numbered, true, true
				list = append(list, l)
				l.Optional, l.Prepare, l.Batch = "/mode=oneway", call.PrepareOneWay, call.AckEvery
				list = append(list, l)
				list = append(list, m.ClosedPushes(o, t, size, conc)...)
			}
		}
		return list
	}}
}
