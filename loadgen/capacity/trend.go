package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// trend says whether late calls become more with the rate, over all rates whose
// share of late calls is near that of the objective.
//
// Load makes a steep line: near the capacity of a queue 10 % more calls multiply
// the late ones. Where pauses make the late calls, each pause hits
// the same share of calls at any rate: the line is level, and bisection ends
// where the pauses happened to be few.
type trend struct {
	probes   []Probe // by rate
	rise, by float64 // slope of the logarithm of the odds over the logarithm of the rate, and its standard error
	order    float64 // Kendall's S of all probes, in standard deviations of chance
	far      int     // probes far over the objective: load made them fail, since pauses do not make most calls late
}

const (
	trendProbes = 3   // fewer tell nothing
	trendRange  = 1.1 // nor do rates that differ by less than this factor
	trendErrors = 3   // standard errors; 2 may come from the search alone, which goes to higher rates after probes that held
	trendOrder  = 2.2 // standard deviations
)

// trendOf returns false when the probes near the objective are too few, or too close
// together in rate. That is the case of a steep line: within a few percent of rate
// late calls go from hardly any to most, which is no reason for a warning.
func trendOf(probes []Probe) (t trend, ok bool) {
	t.probes = near(probes)
	slices.SortFunc(t.probes, func(a, b Probe) int { return cmp.Compare(a.Rate, b.Rate) })
	n := len(t.probes)
	if n < trendProbes || t.probes[n-1].Rate < trendRange*t.probes[0].Rate {
		return t, false
	}
	logs := slices.Clone(t.probes)
	for i := range logs {
		logs[i].Rate = math.Log(logs[i].Rate) + 1 // lineOf takes 1 off
	}
	l := lineOf(logs, spreadOf(logs, 1), 1)
	t.rise, t.by = l.slope, math.Sqrt(l.slopeVariance*l.excess(n))
	t.order = kendall(probes)
	for _, p := range probes {
		if p.odds >= math.Log(fitSpan) {
			t.far++
		}
	}
	return t, true
}

// rises reports whether late calls become more with the rate: along a line, or in
// a bend, where they are few and level up to a rate and many above it.
func (t trend) rises() bool { return t.rise > trendErrors*t.by || t.far > 1 && t.order > trendOrder }

// kendall counts the pairs of probes in which the higher rate has the larger share
// of late calls, less those in which it has the smaller one, in standard
// deviations of what chance makes of that (Kendall, "A new measure of rank
// correlation", Biometrika 30 (1938)). Probes that are far over the objective, or
// far under it, are alike.
func kendall(probes []Probe) float64 {
	s, n := 0.0, float64(len(probes))
	for i, a := range probes {
		for _, b := range probes[:i] {
			s += sign(a.Rate-b.Rate) * sign(a.level()-b.level())
		}
	}
	return s / math.Sqrt(n*(n-1)*(2*n+5)/18)
}

// level is the logarithm of the odds of a late call, as far as that is fitted.
func (p Probe) level() float64 {
	return min(max(p.odds, -math.Log(fitSpan)), math.Log(fitSpan))
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// notTheRate is the warning that the rate does not decide, with its cause and
// with objectives that would tell more.
func (t trend) notTheRate(c Config) error {
	least, most := 1.0, 0.0
	for _, p := range t.probes {
		least, most = min(least, p.share), max(most, p.share)
	}
	low, high := t.probes[0].Rate, t.probes[len(t.probes)-1].Rate
	return fmt.Errorf("%w: from %.0f to %.0f calls/s %.2g to %.2g %% of the calls took over %v, and not more at the higher rates: pauses of the callee or of the machine made them, not load; %s would tell more",
		ErrNotTheRate, low, high, 100*least, 100*most, c.Latency, t.better(c, most))
}

// better names objectives that pauses do not decide: a percentile that is met in
// spite of the late calls, and a latency above most of the pauses.
func (t trend) better(c Config, late float64) string {
	above := time.Duration(0)
	for _, p := range t.probes {
		if p.Result != nil {
			above = max(above, p.Result.Response.Quantile(1-(1-c.Quantile)/10))
		}
	}
	text := fmt.Sprintf("%s ≤ %v", figure.Percentile(c.Quantile), figure.Rounded(above))
	for _, q := range []float64{.99, .95, .9, .75, .5} {
		if q < c.Quantile && 1-q > 4*late {
			return fmt.Sprintf("%s ≤ %v or %s", figure.Percentile(q), c.Latency, text)
		}
	}
	return text
}
