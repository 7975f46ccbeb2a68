package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// perStream is what a stream makes both sides hold: the difference of a process to what
// it held before the streams were opened, divided by their number. Garbage is collected
// before each reading. A first message has gone over each stream, because buffers are
// allocated with it.
type perStream struct {
	metrics []loadbench.Metric
	lacks   []string
}

// holdings returns what the client, which is this process, and a server hold. The error
// says why that of the server is not known.
func holdings(ctx context.Context, s *Server) (client, server host.Holdings, err error) {
	if err = errGiven; s.holder != nil {
		server, err = s.holder.Holdings(ctx)
	}
	return host.OwnHoldings(), server, err
}

// opening measures what open makes both sides hold for each of n streams.
func opening(ctx context.Context, s *Server, n int, open func() error) (p perStream, err error) {
	client, server, unknown := holdings(ctx, s)
	if err := open(); err != nil {
		return p, err
	}
	clientAfter, serverAfter, err := holdings(ctx, s)
	p.metrics = memoryPer("stream", n, "client", client, clientAfter)
	switch unknown = errors.Join(unknown, err); {
	case unknown == nil:
		p.metrics = append(p.metrics, memoryPer("stream", n, "server", server, serverAfter)...)
	case !errors.Is(unknown, errors.ErrUnsupported):
		p.lacks = append(p.lacks, fmt.Sprintf("the memory of streams is not known: %v", unknown))
	}
	return p, nil
}

// memoryPer returns what a side holds for each of n connections or streams.
func memoryPer(what string, n int, side string, before, after host.Holdings) (list []loadbench.Metric) {
	per := func(bytes int64, kind string) loadbench.Metric {
		return loadbench.Metric{Value: float64(bytes) / float64(n), Unit: side + kind + "-B/" + what}
	}
	if after.RSS > 0 {
		list = append(list, per(after.RSS-before.RSS, "-rss"))
	}
	return append(list, per(after.Heap-before.Heap, "-heap"))
}

// settling is how long both sides are left alone before something is read.
const settling = 300 * time.Millisecond
