package rig

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Try makes the calls of one caller for a moment. It returns in time even if the
// server or the framework's client hangs.
func (r *Rig) Try(c plan.Case) error {
	done := make(chan error, 1)
	go func() {
		l, err := newLocal(r.Settings, c, []string{c.Given}, 1, 1)
		if err == nil {
			l.close()
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(r.watchdog + time.Second): // the second lets the watchdog end the calls first, whose error says more
		return fmt.Errorf("no answer within %v", r.watchdog)
	}
}

// tryServer tries the first selected case of each feature of a target, all at
// once, so that a server that never answers takes no longer than one case. It
// removes from the plan what the server cannot do. The error is about a server that
// can do nothing of what was asked.
func (r *Rig) tryServer(p *plan.Plan, t plan.Target) (failed error) {
	cases := p.Trials(t)
	errs := make([]error, len(cases))
	var wg sync.WaitGroup
	for i, c := range cases {
		wg.Go(func() { errs[i] = r.Try(c) })
	}
	wg.Wait()
	can := len(cases) == 0
	for i, c := range cases {
		if errs[i] == nil {
			can = true
			continue
		}
		p.LeaveOutFeature(c.Feature(), errs[i])
		failed = cmp.Or(failed, fmt.Errorf("%s: %w", t.Place(), errs[i]))
	}
	if can {
		return nil
	}
	return failed
}
