package rig

import (
	"context"
	"time"
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
	if !p.spanned {
		return nil
	}
	own := spanCount{"client-spans/op", func() (int64, error) { return spansHere(), nil }, spansHere()}
	counts := []spanCount{own}
	if before, err := tally(ctx, p.servers, counter.Spans); err != nil {
		p.lack("server-spans/op", err)
	} else {
		counts = append(counts, spanCount{"server-spans/op", func() (int64, error) { return tally(ctx, p.servers, counter.Spans) }, before})
	}
	if err := p.make(p.calls, new(heap)); err != nil {
		return err
	}
	for _, c := range counts {
		n, err := c.settled(int64(p.calls))
		if err != nil {
			return err
		}
		p.metrics = append(p.metrics, p.perCall(n, c.unit))
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
