package probe

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// PerStream is what a stream makes both sides hold: the difference of a process to what
// it held before the streams were opened, divided by their number. Garbage is collected
// before each reading. A first message has gone over each stream, because buffers are
// allocated with it.
type PerStream struct {
	Metrics []loadbench.Metric
	Lacks   []string
}

// holdings returns what the client, which is this process, and a server hold. The error
// says why that of the server is not known.
func holdings(ctx context.Context, s *server.Server) (client, there host.Holdings, err error) {
	if err = server.ErrGiven; s.Holder != nil {
		there, err = s.Holder.Holdings(ctx)
	}
	return host.OwnHoldings(), there, err
}

// Opening measures what open makes both sides hold for each of n streams.
func Opening(ctx context.Context, s *server.Server, n int, open func() error) (p PerStream, err error) {
	client, there, unknown := holdings(ctx, s)
	if err := open(); err != nil {
		return p, err
	}
	clientAfter, thereAfter, err := holdings(ctx, s)
	p.Metrics = MemoryPer("stream", n, "client", client, clientAfter)
	switch unknown = errors.Join(unknown, err); {
	case unknown == nil:
		p.Metrics = append(p.Metrics, MemoryPer("stream", n, "server", there, thereAfter)...)
	case !errors.Is(unknown, errors.ErrUnsupported):
		p.Lacks = append(p.Lacks, fmt.Sprintf("the memory of streams is not known: %v", unknown))
	}
	return p, nil
}

// MemoryPer returns what a side holds for each of n connections or streams. A process that
// has given back more than a few of them take holds nothing for them.
func MemoryPer(what string, n int, side string, before, after host.Holdings) (list []loadbench.Metric) {
	per := func(bytes int64, kind string) loadbench.Metric {
		return loadbench.Metric{Value: float64(max(bytes, 0)) / float64(n), Unit: side + kind + "-B/" + what}
	}
	if after.RSS > 0 {
		list = append(list, per(after.RSS-before.RSS, "-rss"))
	}
	return append(list, per(after.Heap-before.Heap, "-heap"))
}

// Settling is how long both sides are left alone before something is read.
const Settling = 300 * time.Millisecond
