package loadgen

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Ceiling is what the generator can do on this host, with calls that do
// nothing: no result that comes near it says much about a callee.
type Ceiling struct {
	Procs    int           // GOMAXPROCS
	CallCost time.Duration // of one core, for a call of a closed loop
	Rate     float64       // the most calls per second that an open loop sends
	Paced    []PacedLag    // at 1,000, 10,000 and 100,000 calls/s
}

// PacedLag is how late calls are sent at a rate.
type PacedLag struct {
	Rate, Achieved float64 // calls/s
	P50, P99       time.Duration
}

// selfTestTime is how long each of SelfTest's runs takes.
const selfTestTime = 500 * time.Millisecond

// SelfTest measures the Ceiling in some 3 seconds.
func SelfTest(ctx context.Context, wait Wait) (*Ceiling, error) {
	c := &Ceiling{Procs: runtime.GOMAXPROCS(0)}
	closed, err := Run(ctx, Config{Workers: c.Procs, Schedule: ClosedLoop, Duration: selfTestTime}, nop)
	if err != nil {
		return nil, err
	}
	c.CallCost = max(time.Duration(float64(c.Procs)*1e9/closed.Goodput()), 1)
	calls := int64(selfTestTime / (2 * c.CallCost)) // more are due than it can send
	full, err := Run(ctx, Config{Workers: 8, Schedule: Constant(1e9), Calls: calls}, nop)
	if err != nil {
		return nil, err
	}
	c.Rate = full.Goodput()
	for _, rate := range []float64{1e3, 1e4, 1e5} {
		res, err := Run(ctx, Config{Workers: 8, Schedule: Constant(rate), Duration: selfTestTime, Wait: wait}, nop)
		if err != nil {
			return nil, err
		}
		c.Paced = append(c.Paced, PacedLag{rate, res.Goodput(), res.Lag.Quantile(.5), res.Lag.Quantile(.99)})
	}
	return c, nil
}

func nop(context.Context, int) error { return nil }

// String is a short report.
func (c *Ceiling) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "procs %d, a call costs %v, at most %.1f M calls/s\n", c.Procs, c.CallCost, c.Rate/1e6)
	for _, p := range c.Paced {
		fmt.Fprintf(&s, "at %6.0f calls/s: %6.0f sent, lag p50 %v, p99 %v\n", p.Rate, p.Achieved, p.P50, p.P99)
	}
	return s.String()
}
