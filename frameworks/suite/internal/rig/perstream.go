package rig

import (
	"context"
	"errors"
	"fmt"

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

// sidesOf are what tells what the client, which is this process, and a server hold.
func sidesOf(s *Server) map[string]func(context.Context) (host.Holdings, error) {
	server := func(context.Context) (host.Holdings, error) { return host.Holdings{}, errGiven }
	if s.holder != nil {
		server = s.holder.Holdings
	}
	own := func(context.Context) (host.Holdings, error) { return host.OwnHoldings(), nil }
	return map[string]func(context.Context) (host.Holdings, error){"client": own, "server": server}
}

// opening measures what open makes both sides hold for each of n streams.
func opening(ctx context.Context, s *Server, n int, open func() error) (p perStream, err error) {
	before, lacking := map[string]host.Holdings{}, map[string]error{}
	sides := sidesOf(s)
	for side, holds := range sides {
		before[side], lacking[side] = holds(ctx)
	}
	if err := open(); err != nil {
		return p, err
	}
	for _, side := range []string{"client", "server"} {
		after, err := sides[side](ctx)
		p.add(side, n, before[side], after, errors.Join(lacking[side], err))
	}
	return p, nil
}

// add adds the figures of a side.
func (p *perStream) add(side string, n int, before, after host.Holdings, err error) {
	if err != nil {
		if !errors.Is(err, errors.ErrUnsupported) {
			p.lacks = append(p.lacks, fmt.Sprintf("the memory of streams is not known: %v", err))
		}
		return
	}
	per := func(bytes int64, unit string) {
		p.metrics = append(p.metrics, loadbench.Metric{Value: float64(bytes) / float64(n), Unit: side + unit})
	}
	per(after.Heap-before.Heap, "-heap-B/stream")
	if after.RSS > 0 {
		per(after.RSS-before.RSS, "-rss-B/stream")
	}
}
