package call

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// EchoCase is Echo of a single byte by one caller. It is used to try a server.
func EchoCase(t plan.Target) plan.Case { return caseOf("Echo", t, prepareEcho) }

// MessageCase is Message of one caller.
func MessageCase(t plan.Target) plan.Case { return caseOf("Message", t, prepareMessage(t.Sent)) }

// StreamCase is a message there and back on a stream.
func StreamCase(t plan.Target) plan.Case { return caseOf("Stream", t, PreparePingPong) }

// caseOf is a case of one caller that no plan has.
func caseOf(benchmark string, t plan.Target, prepare preparer) plan.Case {
	l := EchoLeaf(1, 1)
	l.Prepare = prepare
	return plan.Case{Benchmark: &plan.Benchmark{Name: benchmark}, Target: t, Spec: l.Spec, Leaf: l}
}

// EchoLeaf is a closed loop of callers of Echo. The caller adds the keys.
func EchoLeaf(workers, size int) Leaf {
	return Leaf{
		Spec:     plan.Spec{Workers: workers, Size: size},
		Schedule: loadgen.ClosedLoop, Prepare: prepareEcho,
	}
}

func prepareEcho(_ context.Context, c framework.Client, q Requests) (Job, error) {
	requests, r := q.Replies()
	return Job{Call: afresh(r.Begin, c.Echo(requests, r.Keep)), Check: r.Compare, Sizes: q.Sizes}, nil
}
