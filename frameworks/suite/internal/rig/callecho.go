package rig

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// EchoCase is Echo of a single byte by one caller. It is used to try a server.
func EchoCase(t plan.Target) plan.Case { return caseOf("Echo", t, prepareEcho) }

// MessageCase is Message of one caller.
func MessageCase(t plan.Target) plan.Case { return caseOf("Message", t, prepareMessage) }

// StreamCase is a message there and back on a stream.
func StreamCase(t plan.Target) plan.Case { return caseOf("Stream", t, preparePingPong) }

// caseOf is a case of one caller that no plan has.
func caseOf(benchmark string, t plan.Target, prepare preparer) plan.Case {
	l := echoLeaf(1, 1)
	l.prepare = prepare
	return plan.Case{Benchmark: &plan.Benchmark{Name: benchmark}, Target: t, Spec: l.Spec, Leaf: l}
}

// echoLeaf is a closed loop of callers of Echo. The caller adds the keys.
func echoLeaf(workers, size int) leaf {
	return leaf{
		Spec:     plan.Spec{Workers: workers, Size: size},
		schedule: loadgen.ClosedLoop, prepare: prepareEcho,
	}
}

func prepareEcho(_ context.Context, c framework.Client, q requestSpec) (job, error) {
	requests, r := q.replies(c)
	return job{call: afresh(r.begin, c.Echo(requests, r.keep)), check: r.compare}, nil
}
