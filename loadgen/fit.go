package loadgen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// The capacity is read off a line: the logarithm of the odds of a late call,
// p/(1−p), over the rate. For queues this is nearly straight where late calls are
// few. The objective, such as 1 % of late calls for p99, is a level, and the
// capacity is the rate at which the line reaches that level.
//
// Each probe is a point with an error of two parts. One is estimated from its
// batches and falls with the length of the probe. The other is the spread between probes: the
// callee or the machine is not the same for all of them, and no length of a
// single probe shows that. It is estimated from how far the points lie from their
// line (the between-probe variance of Paule and Mandel, "Consensus values and
// weighting factors", J. Res. NBS 87 (1982)).
const (
	// Only probes whose odds of a late call are within this factor of the
	// objective's are fitted; farther away the relation is not a straight line.
	fitSpan = 30
	// leastSpread is assumed in any case, since the relation is not quite
	// straight even near the objective.
	leastSpread = .1
	// More than muchSpread is warned of: a factor of 1.5 in the odds of a late
	// call. A smaller spread is not estimated, see spreadOf.
	muchSpread = .4
	maxSpread  = 3 // no larger one is tried
)

// fit is where the line meets the objective.
type fit struct {
	rate, reach float64 // calls/s, and how far the 95 % interval reaches from there
	spread      float64 // standard deviation between probes of the logarithm of the odds
}

// fit fits a line to the numbers of late calls, see counts. Where probes differ from
// that by more than the clumps of late calls explain, the line is one by weighted
// least squares through the logarithms of the odds. The error of where it meets the
// objective is by the delta method. It returns false if no line rises: where more
// load does not make more calls late, the line meets the objective at no rate that
// would mean anything.
func (f *finder) fit() (l fit, ok bool) {
	used := f.near()
	l.spread = leastSpread
	line, n, ok := f.counted()
	if !ok {
		l.spread, n = spreadOf(used, f.holds), len(used)
		line = lineOf(used, l.spread, f.holds)
	}
	if n < 2 || !(line.slope > 0) || math.IsInf(line.slope, 1) {
		return fit{}, false
	}
	l.rate = f.holds * (1 + line.cross)
	l.reach = f.holds * (2.2*math.Sqrt(line.variance*line.excess(n)) + resolution/2)
	return l, true
}

// near are the probes near enough to the objective to be fitted.
func (f *finder) near() (used []Probe) {
	for _, p := range f.Probes {
		if math.Abs(p.odds) < math.Log(fitSpan) && p.oddsErr > 0 {
			used = append(used, p)
		}
	}
	return used
}

// spreadOf returns the spread with which the probes lie no farther from their
// line than their errors let expect: the sum of their squared distances, in
// standard errors, is then at most the number of probes less two. If muchSpread is
// enough for that, the spread is leastSpread, and excess makes up for what that
// does not explain; a few probes could not tell such spreads apart. Larger ones are
// found in steps of a fifth.
func spreadOf(probes []Probe, unit float64) float64 {
	spread := leastSpread
	for s := muchSpread; s < maxSpread && lineOf(probes, s, unit).scatter > float64(len(probes)-2); s *= 1.2 {
		spread = s * 1.2
	}
	return spread
}

// line is a straight line over x = rate/unit − 1. With a unit near the capacity x
// is near 0, which keeps the sums of least squares well conditioned.
type line struct {
	slope           float64 // of the logarithm of the odds
	slopeVariance   float64
	cross, variance float64 // where the line is 0, and the variance of that
	scatter         float64 // sum of the squared distances of the probes, in standard errors
}

// lineOf fits a line by weighted least squares, as in textbooks.
func lineOf(probes []Probe, spread, unit float64) line {
	var w, x, y, xx, xy float64
	for _, p := range probes {
		weight, at := p.weight(spread), p.Rate/unit-1
		w, x, y = w+weight, x+weight*at, y+weight*p.odds
		xx, xy = xx+weight*at*at, xy+weight*at*p.odds
	}
	det := w*xx - x*x
	slope, level := (w*xy-x*y)/det, (xx*y-x*xy)/det
	cross := -level / slope
	l := line{slope: slope, slopeVariance: w / det, cross: cross, variance: (xx + cross*cross*w - 2*cross*x) / det / (slope * slope)}
	for _, p := range probes {
		off := p.odds - level - slope*(p.Rate/unit-1)
		l.scatter += p.weight(spread) * off * off
	}
	return l
}

// excess is the factor by which the variances are larger than the errors of the
// probes say, from how far n probes lie from the line (the reduced chi-square). It
// is at least 1, and 1 for two probes, which every line meets.
func (l line) excess(n int) float64 {
	if n <= 2 {
		return 1
	}
	return max(1, l.scatter/float64(n-2))
}

// weight is the inverse of the variance of a probe.
func (p Probe) weight(spread float64) float64 { return 1 / (p.oddsErr*p.oddsErr + spread*spread) }

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

// trend returns false when the probes near the objective are too few, or too close
// together in rate. That is the case of a steep line: within a few percent of rate
// late calls go from hardly any to most, which is no reason for a warning.
func (f *finder) trend() (t trend, ok bool) {
	t.probes = f.near()
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
	t.order = kendall(f.Probes)
	for _, p := range f.Probes {
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
func (f *finder) notTheRate(t trend) error {
	least, most := 1.0, 0.0
	for _, p := range t.probes {
		least, most = min(least, p.share), max(most, p.share)
	}
	low, high := t.probes[0].Rate, t.probes[len(t.probes)-1].Rate
	return fmt.Errorf("%w: from %.0f to %.0f calls/s %.2g to %.2g %% of the calls took over %v, and not more at the higher rates: pauses of the callee or of the machine made them, not load; %s would tell more",
		ErrNotTheRate, low, high, 100*least, 100*most, f.Latency, f.better(t, most))
}

// better names objectives that pauses do not decide: a percentile that is met in
// spite of the late calls, and a latency above most of the pauses.
func (f *finder) better(t trend, late float64) string {
	above := time.Duration(0)
	for _, p := range t.probes {
		if p.Result != nil {
			above = max(above, p.Result.Response.Quantile(1-(1-f.Quantile)/10))
		}
	}
	text := fmt.Sprintf("%s ≤ %v", percentile(f.Quantile), rounded(above))
	for _, q := range []float64{.99, .95, .9, .75, .5} {
		if q < f.Quantile && 1-q > 4*late {
			return fmt.Sprintf("%s ≤ %v or %s", percentile(q), f.Latency, text)
		}
	}
	return text
}
