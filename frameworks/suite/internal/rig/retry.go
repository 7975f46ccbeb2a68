package rig

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// retry is a policy for calls that fail. Its zero value makes each call once.
type retry struct {
	tries   int           // the most attempts of a call, the first included
	backoff time.Duration // bounds the wait before the second attempt
}

// The wait before an attempt is at most maxBackoff. maxTries bounds how long a call can take.
const (
	noRetry        = "none"
	defaultBackoff = 10 * time.Millisecond
	maxBackoff     = time.Second
	maxTries       = 100
)

// readRetry reads none, TRIES or TRIES:BACKOFF, as in 3:10ms.
func readRetry(text string) (p retry, err error) {
	if text == noRetry {
		return retry{}, nil
	}
	tries, backoff, given := strings.Cut(text, ":")
	p.backoff = defaultBackoff
	if p.tries, err = strconv.Atoi(tries); err != nil || p.tries < 2 || p.tries > maxTries {
		return retry{}, fmt.Errorf("%q is neither none nor a number of attempts from 2 to %d, as in 3 or 3:10ms", text, maxTries)
	}
	if given {
		if p.backoff, err = time.ParseDuration(backoff); err != nil || p.backoff < 0 || p.backoff > maxBackoff {
			return retry{}, fmt.Errorf("%q: the wait before the second attempt must be from 0 to %v, as in 3:10ms", text, maxBackoff)
		}
	}
	return p, nil
}

// on reports whether calls are repeated at all.
func (p retry) on() bool { return p.tries > 1 }

// wait returns how long to wait before an attempt, of which the second is the first repeat.
// chance is from 0 to 1. The bound on the wait doubles with each attempt, and all of it is
// jitter, so that callers whose calls failed together do not come back together.
func (p retry) wait(attempt int, chance float64) time.Duration {
	bound := p.backoff
	for range attempt - 2 {
		bound = min(2*bound, maxBackoff)
	}
	return time.Duration(chance * float64(bound))
}

// check returns an error that names a selected case whose calls are made once.
func (p retry) check(cases []plan.Case) error {
	for _, c := range cases {
		l, ok := c.Leaf.(interface{ loaded() leaf })
		if ok && p.on() && l.loaded().noRetry != "" {
			return fmt.Errorf("-retry=%d: %s cannot repeat its calls: %s", p.tries, c.Name(), l.loaded().noRetry)
		}
	}
	return nil
}

// over returns a call that makes call until it succeeds or all attempts are made. Each
// attempt has the time timeout; 0 for no bound. A wrong reply is not asked for again.
func (p retry) over(call loadgen.Call, timeout time.Duration, repeats repeats) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		for next := 2; ; next++ {
			err := attempt(ctx, timeout, call, worker)
			if err == nil || next > p.tries || isWrong(err) || !slept(ctx, p.wait(next, rand.Float64())) {
				return err
			}
			repeats[worker].n.Add(1)
		}
	}
}

// attempt makes a call that has its own deadline.
func attempt(ctx context.Context, timeout time.Duration, call loadgen.Call, worker int) error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	return call(ctx, worker)
}

// slept waits, and reports whether ctx still lasts.
func slept(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// isWrong reports whether an error says that a reply was not what was sent.
func isWrong(err error) bool { return errors.As(err, new(wrongReply)) }

// repeats counts the attempts after the first of each worker.
type repeats []struct {
	n atomic.Int64
	_ [56]byte // workers on other CPUs write their own cache lines
}

// metrics returns how many attempts there were for each call beyond the first.
func (r repeats) metrics(calls int64) []loadbench.Metric {
	var n int64
	for i := range r {
		n += r[i].n.Load()
	}
	return []loadbench.Metric{{Value: float64(n) / float64(max(calls, 1)), Unit: "retries/op"}}
}
