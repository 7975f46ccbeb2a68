package bench

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// messages is a closed loop of callers of the bench message, or of the messages that a variant
// has instead. Clients without a bench message echo the same number of bytes.
func messages() *plan.Benchmark {
	return &plan.Benchmark{Name: "Message", Cases: func(o *plan.Options, t plan.Target) []plan.Leaf {
		c := call.MessageOf(t)
		if t.Sent == nil {
			c.Kind = "" // which the benchmark's name says
		}
		return call.ClosedLoops(o, c)
	}}
}
