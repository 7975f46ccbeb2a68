package probe

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// Spans of a call may end after its reply has come.
const (
	spansWait  = 5 * time.Millisecond // between two readings
	spansReads = 40                   // at most
)

// spanCount reads the spans of a side.
type spanCount struct {
	unit   string
	read   func() (int64, error)
	before int64
}

// spans counts the spans of calls, of a variant that is traced.
func (p *counting) spans(ctx context.Context) error {
	if !p.Spanned {
		return nil
	}
	own := spanCount{"client-spans/op", func() (int64, error) { return server.SpansHere(), nil }, server.SpansHere()}
	counts := []spanCount{own}
	if before, err := server.Tally(ctx, p.Servers, server.Counter.Spans); err != nil {
		p.Lack("server-spans/op", err)
	} else {
		counts = append(counts, spanCount{"server-spans/op", func() (int64, error) { return server.Tally(ctx, p.Servers, server.Counter.Spans) }, before})
	}
	if err := p.make(p.calls, new(Heap)); err != nil {
		return err
	}
	for _, c := range counts {
		n, err := c.settled(int64(p.calls))
		if err != nil {
			return err
		}
		p.Metrics = append(p.Metrics, p.perCall(n, c.unit))
	}
	return nil
}

// settled reads a count until it has grown by the number of calls, and grows no more.
func (c spanCount) settled(calls int64) (grown int64, err error) {
	for range spansReads {
		last := grown
		n, err := c.read()
		if err != nil {
			return 0, err
		}
		if grown = n - c.before; grown >= calls && grown == last {
			break
		}
		time.Sleep(spansWait)
	}
	return grown, nil
}
