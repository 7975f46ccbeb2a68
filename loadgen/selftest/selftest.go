// Package selftest measures what package loadgen itself can do on this host: how late it sends
// calls, what a call costs, and the highest rate that it holds. It is for those who
// wonder whether a figure is of the service or of the generator.
package selftest

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Ceiling is the most that the generator can do on this host, with calls that
// do nothing. A result that comes near it says little about a callee.
type Ceiling struct {
	Procs    int           // GOMAXPROCS
	CallCost time.Duration // time of one core that a call of a closed loop takes
	Rate     float64       // the most calls per second that an open loop sends
	Paced    []Paced       // at 1,000, 10,000 and 100,000 calls/s, with the Slack that a Config has by default, and with none
}

// Paced tells how late an open loop sends calls at a rate.
type Paced struct {
	Slack          time.Duration // as in loadgen.Config; 1 ns, for none, has the generator stay awake
	Rate, Achieved float64       // calls/s that were due, and that were sent
	P50, P99       time.Duration // of the lag
}

// runTime is how long each of the runs takes.
const runTime = 500 * time.Millisecond

// quiet is the Slack of a Config that has none, which a report names.
const quiet = 100 * time.Microsecond

// Run measures the Ceiling in some 5 seconds. When ctx is over it ends with its error.
func Run(ctx context.Context) (*Ceiling, error) {
	c := &Ceiling{Procs: runtime.GOMAXPROCS(0)}
	closed, err := run(ctx, loadgen.Config{Workers: c.Procs, Schedule: loadgen.ClosedLoop, Duration: runTime})
	if err != nil {
		return nil, err
	}
	c.CallCost = max(time.Duration(float64(c.Procs)*1e9/closed.Goodput()), 1)
	calls := int64(runTime / (2 * c.CallCost)) // more are due than it can send
	full, err := run(ctx, loadgen.Config{Workers: 8, Schedule: loadgen.Constant(1e9), Calls: calls})
	if err != nil {
		return nil, err
	}
	c.Rate = full.Goodput()
	for _, slack := range []time.Duration{quiet, 1} {
		for _, rate := range []float64{1e3, 1e4, 1e5} {
			res, err := run(ctx, loadgen.Config{Workers: 8, Schedule: loadgen.Constant(rate), Duration: runTime, Slack: slack})
			if err != nil {
				return nil, err
			}
			c.Paced = append(c.Paced, Paced{slack, rate, res.Goodput(), res.Lag.Quantile(.5), res.Lag.Quantile(.99)})
		}
	}
	return c, nil
}

// run makes calls that do nothing.
func run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	return loadgen.Run(ctx, cfg, func(context.Context, int) error { return nil })
}

// String returns a short report.
func (c *Ceiling) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "procs %d, a call costs %v, at most %.1f M calls/s\n", c.Procs, c.CallCost, c.Rate/1e6)
	for _, p := range c.Paced {
		fmt.Fprintf(&s, "slack %5v, at %6.0f calls/s: %6.0f sent, lag p50 %v, p99 %v\n", p.Slack, p.Rate, p.Achieved, p.P50, p.P99)
	}
	return s.String()
}
