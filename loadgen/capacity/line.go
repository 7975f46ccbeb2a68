package capacity

import "math"

// The capacity is read off a line: the logarithm of the odds of a late call,
// p/(1−p), over the rate. For queues this is nearly straight where late calls are
// few. The objective, such as 1 % of late calls for p99, is a level, and the
// capacity is the rate at which the line reaches that level.
//
// Each probe is a point with an error of two parts. One is estimated from its batches and
// falls with the length of the probe. The other is the spread between probes: the callee or
// the machine is not the same for all of them, which a single probe of any length does not
// show. The spread is estimated from how far the points lie from their line (the
// between-probe variance of Paule and Mandel, "Consensus values and weighting factors",
// J. Res. NBS 87 (1982)).
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

// near are the probes near enough to the objective to be fitted.
func near(probes []Probe) (used []Probe) {
	for _, p := range probes {
		if math.Abs(p.odds) < math.Log(fitSpan) && p.oddsErr > 0 {
			used = append(used, p)
		}
	}
	return used
}

// spreadOf returns the spread between probes. It is large enough if the sum of the squared
// distances of the probes from their line, in standard errors, is at most the number of
// probes less two. Where muchSpread is large enough, the spread is taken to be leastSpread,
// since few probes cannot tell small spreads apart, and excess widens the interval instead.
// Larger spreads are tried in steps of a fifth.
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
