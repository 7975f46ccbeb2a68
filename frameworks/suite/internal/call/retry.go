package call

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

// Retry is a policy for calls that fail. Its zero value makes each call once.
type Retry struct {
	tries   int           // the most attempts of a call, the first included
	backoff time.Duration // bounds the wait before the second attempt
}

// The wait before an attempt is at most maxBackoff. maxTries bounds how long a call can take.
const (
	NoRetry        = "none"
	defaultBackoff = 10 * time.Millisecond
	maxBackoff     = time.Second
	maxTries       = 100
)

// ReadRetry reads none, TRIES or TRIES:BACKOFF, as in 3:10ms.
func ReadRetry(text string) (p Retry, err error) {
	if text == NoRetry {
		return Retry{}, nil
	}
	tries, backoff, given := strings.Cut(text, ":")
	p.backoff = defaultBackoff
	if p.tries, err = strconv.Atoi(tries); err != nil || p.tries < 2 || p.tries > maxTries {
		return Retry{}, fmt.Errorf("%q is neither none nor a number of attempts from 2 to %d, as in 3 or 3:10ms", text, maxTries)
	}
	if given {
		if p.backoff, err = time.ParseDuration(backoff); err != nil || p.backoff < 0 || p.backoff > maxBackoff {
			return Retry{}, fmt.Errorf("%q: the wait before the second attempt must be from 0 to %v, as in 3:10ms", text, maxBackoff)
		}
	}
	return p, nil
}

// On reports whether calls are repeated at all.
func (p Retry) On() bool { return p.tries > 1 }

// wait returns how long to wait before an attempt, of which the second is the first repeat.
// chance is from 0 to 1. The bound on the wait doubles with each attempt, and all of it is
// jitter, so that callers whose calls failed together do not come back together.
func (p Retry) wait(attempt int, chance float64) time.Duration {
	bound := p.backoff
	for range attempt - 2 {
		bound = min(2*bound, maxBackoff)
	}
	return time.Duration(chance * float64(bound))
}

// Check returns an error that names a selected case whose calls are made once.
func (p Retry) Check(cases []plan.Case) error {
	for _, c := range cases {
		l, ok := c.Leaf.(interface{ loaded() Leaf })
		if ok && p.On() && l.loaded().NoRetry != "" {
			return fmt.Errorf("-retry=%d: %s cannot repeat its calls: %s", p.tries, c.Name(), l.loaded().NoRetry)
		}
	}
	return nil
}

// Over returns a call that makes call until it succeeds or all attempts are made. Each
// attempt has the time timeout; 0 for no bound. A wrong reply is not asked for again.
func (p Retry) Over(call loadgen.Call, timeout time.Duration, repeats Repeats) loadgen.Call {
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

// Repeats counts the attempts after the first of each worker.
type Repeats []struct {
	n atomic.Int64
	_ [56]byte // workers on other CPUs write their own cache lines
}

// Sum returns how many attempts there were beyond the first of each call.
func (r Repeats) Sum() (n int64) {
	for i := range r {
		n += r[i].n.Load()
	}
	return n
}

// Repeated is the metric of a number of attempts beyond the first.
func Repeated(attempts, calls int64) loadbench.Metric {
	return loadbench.Metric{Value: float64(attempts) / float64(max(calls, 1)), Unit: "retries/op"}
}
