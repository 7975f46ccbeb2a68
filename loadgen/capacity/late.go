package capacity

import (
	"math"

	"github.com/rpcbench/rpcbench/loadgen/internal/batch"
)

// lateCalls fits the line to the numbers of late calls. A line through the logarithms
// of the odds is too low: a probe with few clumps of late calls by chance has both
// low odds and a small error, so that it weighs more, and it ends early.
//
// Here the error of a probe comes from the line and from the clumps in all probes.
// The distance of a probe is late calls less those expected, whose mean is zero
// also for probes that end as soon as they are low enough. What is left is that of
// the estimate itself, since few clumps have a skewed logarithm. Half a clump
// for each of the line's two parameters takes that away (Firth, "Bias reduction of
// maximum likelihood estimates", Biometrika 80 (1993)).
type lateCalls struct {
	probes       []Probe
	objective    float64 // logarithm of the odds of a late call that are allowed
	unit, spread float64 // as for lineOf
}

const (
	mostSteps = 60   // of the iteration, which otherwise ends in about 25
	smallStep = 1e-6 // change of the parameters at which it ends
	farOdds   = 12   // logarithm; nothing is known about odds farther away
	farResult = 3    // no probe moves its point by more in a step
)

// lateCallsOf leaves out the probes that are far over the objective. Probes far under it,
// and those without late calls, weigh little, and are not left out for what chance made
// of them.
func lateCallsOf(probes []Probe, quantile, unit, spread float64) lateCalls {
	c := lateCalls{objective: batch.Logit(1 - quantile), unit: unit, spread: spread}
	for _, p := range probes {
		if p.odds < math.Log(fitSpan) && p.batches != nil && batch.Sum(p.batches.All) > 0 {
			c.probes = append(c.probes, p)
		}
	}
	return c
}

// fitted is what a line expects of a probe.
type fitted struct{ at, odds, share, calls, binomial float64 }

func (c lateCalls) fitted(p Probe, level, slope float64) fitted {
	at := p.Rate/c.unit - 1
	odds := min(max(level+slope*at, -farOdds), farOdds)
	share := batch.OddsTimes(.5, math.Exp(odds+c.objective))
	return fitted{at, odds, share, batch.Sum(p.batches.All), share * (1 - share)}
}

// clump is the factor by which late calls vary more than independent ones, of all
// batches of all probes together: the squared distances from what the line
// expects, over those of independent calls.
func (c lateCalls) clump(level, slope float64) float64 {
	squares, binomial := 0.0, 0.0
	for _, p := range c.probes {
		e := c.fitted(p, level, slope)
		for i, all := range p.batches.All {
			d := p.batches.With[i] - e.share*all
			squares += d * d
		}
		binomial += e.calls * e.binomial
	}
	return max(squares/binomial, 1)
}

// sums has the sums of weighted least squares.
type sums struct{ w, x, y, xx, xy float64 }

func (s sums) det() float64 { return s.w*s.xx - s.x*s.x }

// parameters are level and slope.
func (s sums) parameters() (level, slope float64) {
	return (s.xx*s.y - s.x*s.xy) / s.det(), (s.w*s.xy - s.x*s.y) / s.det()
}

// share is the part of a probe in what is known about the line, 2 for all probes.
func (s sums) share(weight, at float64) float64 {
	if !(s.det() > 0) {
		return 0
	}
	return weight * (s.xx - 2*at*s.x + at*at*s.w) / s.det()
}

// step is one of iteratively reweighted least squares. last are the sums of the
// step before.
func (c lateCalls) step(level, slope float64, last sums) (s sums, scatter float64) {
	clump := c.clump(level, slope)
	for _, p := range c.probes {
		e := c.fitted(p, level, slope)
		variance := clump / (e.calls * e.binomial)
		weight := 1 / (variance + c.spread*c.spread)
		off := (p.batches.Share() - e.share) / e.binomial
		scatter += weight * off * off
		off += last.share(weight, e.at) * variance * (.5 - e.share)
		y := e.odds + min(max(off, -farResult), farResult)
		s.w, s.x, s.y = s.w+weight, s.x+weight*e.at, s.y+weight*y
		s.xx, s.xy = s.xx+weight*e.at*e.at, s.xy+weight*e.at*y
	}
	return s, scatter
}

// line returns false if the iteration does not end. It goes half of each step,
// since full ones overshoot where few probes decide.
func (c lateCalls) line() (l line, ok bool) {
	level, slope, s, scatter := 0.0, 20.0, sums{}, 0.0
	for range mostSteps {
		s, scatter = c.step(level, slope, s)
		toLevel, toSlope := s.parameters()
		change := math.Abs(toLevel-level) + math.Abs(toSlope-slope)
		level, slope = (level+toLevel)/2, (slope+toSlope)/2
		if change < smallStep {
			return lineFrom(s, level, slope, scatter), true
		}
	}
	return line{}, false
}

// lineFrom is a line with the errors that follow from the sums.
func lineFrom(s sums, level, slope, scatter float64) line {
	cross := -level / slope
	return line{
		slope: slope, slopeVariance: s.w / s.det(), scatter: scatter,
		cross: cross, variance: (s.xx + cross*cross*s.w - 2*cross*s.x) / s.det() / (slope * slope),
	}
}

// near is how many probes are near the objective by the line, and not by what
// chance made of them.
func (c lateCalls) near(l line) (n int) {
	for _, p := range c.probes {
		if math.Abs(l.slope*(p.Rate/c.unit-1-l.cross)) < math.Log(fitSpan) {
			n++
		}
	}
	return n
}

// lineThroughCounts returns the line and the number of probes near it; false if probes
// differ from it by so much that the spread between probes is to be estimated, which
// needs logarithms.
func lineThroughCounts(probes []Probe, quantile, unit float64) (l line, n int, ok bool) {
	c := lateCallsOf(probes, quantile, unit, muchSpread)
	wide, ok := c.line()
	if n = c.near(wide); !ok || n < 2 || n > 2 && wide.scatter > float64(n-2) {
		return line{}, 0, false
	}
	c.spread = leastSpread
	l, ok = c.line()
	return l, c.near(l), ok
}
