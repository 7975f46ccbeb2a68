package loadgen

import (
	"math"
	"slices"
)

// How far can the share of slow calls in a run be from the share in an endless run?
// If calls were independent, the binomial distribution would say. They are not: a
// queue or a pause makes many calls slow at once, and a machine may be slow for
// seconds. What counts is how much the share varies at the lowest frequencies, a few
// periods per run: variations that go up and down many times in a run average out,
// slow ones do not.
//
// So the excess of slow calls in each batch is taken apart into cosines of 1/2, 1,
// 3/2, … periods per run. The square of each coefficient is an estimate of the
// variance of the sum of all batches. The estimates are independent of each other, as
// long as the fluctuation is the same at all these frequencies; the mean of the lowest 16
// is then known with 16 degrees of freedom of Student's t. See Lazarus, Lewis, Stock and
// Watson, "HAR Inference: Recommendations for Practice", JBES 36 (2018), for these
// cosines, and Heidelberger and Welch, "A spectral method for confidence interval
// generation and run length control in simulations", CACM 24 (1981), for the idea.
//
// Where latency fluctuates slowly, the power falls with the frequency even among
// the lowest 16, and their mean is less than the power at frequency 0, which is
// what is wanted. A curve is fitted to find out. The power is corrected by it, or,
// if it falls too far, no interval is given.

// tail is the number of calls beyond a latency in each batch.
type tail struct {
	shares
	within float64 // variance by chance within coarse buckets
	last   float64 // length of the last batch, as a share of the others'
}

// binomial is the variance of the number of calls beyond the latency if calls
// were independent.
func (t tail) binomial() float64 {
	p := t.share()
	return sum(t.all) * p * (1 - p)
}

// excess is, for each batch, the number of calls beyond the latency less the number
// that the share of the whole run would give.
func (t tail) excess() []float64 {
	p, list := t.share(), make([]float64, len(t.all))
	for i := range list {
		list[i] = t.with[i] - p*t.all[i]
	}
	return list
}

// power is the square of the excess's coefficient at 1/2, 1, 3/2, … periods per run,
// scaled to be an estimate of the variance of the sum. The last batch may be shorter
// than the others, so its middle is computed apart.
func (t tail) power() []float64 {
	excess := t.excess()
	n := len(excess)
	length, list := float64(n-1)+t.last, make([]float64, n-1)
	for j := range list {
		step := math.Pi * float64(j+1) / length
		sum := excess[n-1] * math.Cos(step*(float64(n-1)+t.last/2))
		// cos(x+step) = 2 cos(step) cos(x) − cos(x−step)
		before, now, twice := math.Cos(step/2), math.Cos(step/2), 2*math.Cos(step)
		for _, e := range excess[:n-1] {
			sum += e * now
			before, now = now, twice*now-before
		}
		list[j] = 2 * sum * sum
	}
	return list
}

// spectrum is the power expected at each of the frequencies of tail.power, over the
// power at frequency 0.
type spectrum []float64

// How the curve of the power is chosen.
const (
	lowest      = 16 // frequencies that are averaged
	evidence    = 2  // logarithm of the likelihood by which a falling curve must be better than a level one
	proof       = 4  // the same, for a curve that falls so far that there is no interval
	asLikely    = 1  // curves worse than the best by less than this may be true as well
	lowestTurn  = 1  // in half periods per run
	highestTurn = 64
)

// low is how many of the lowest frequencies are averaged.
func (s spectrum) low() int { return min((len(s)+1)/2, lowest) }

// level is the mean of the curve over the lowest frequencies: near 1 where
// fluctuations are fast, and small where they are slow.
func (s spectrum) level() float64 { return mean(s[:s.low()]) }

// spectrum fits a curve to the power by its likelihood (Whittle's, in which each
// power is the curve times the square of a normal deviate). A level curve is
// kept unless another is clearly better. Of the curves that are then about as likely
// as the best, the one that falls the most is chosen, since it makes the widest
// interval: the error of doing so is on the safe side.
func (t tail) spectrum() spectrum {
	power := t.power()
	chosen := falling(len(power), math.Inf(1), 0)
	level, best := chosen.likelihood(power), 0.0
	curves := candidates(len(power))
	likely := make([]float64, len(curves))
	for i, s := range curves {
		likely[i] = s.likelihood(power) - level
		best = max(best, likely[i])
	}
	if best <= evidence || sum(power) < leastChance*t.binomial() {
		return chosen
	}
	least := 0.0 // level
	if best <= proof {
		least = minLevel
	}
	for i, s := range curves {
		if likely[i] > best-asLikely && s.level() < chosen.level() && s.level() >= least {
			chosen = s
		}
	}
	return chosen
}

// candidates are curves that turn at different frequencies and have different
// shares of noise.
func candidates(n int) (list []spectrum) {
	for turn := float64(lowestTurn); turn < highestTurn; turn *= math.Sqrt2 {
		for noise := .003; noise < 1.1; noise *= math.Sqrt(10) {
			list = append(list, falling(n, turn, noise))
		}
	}
	return list
}

// falling is the spectrum of a fluctuation whose correlation falls exponentially
// with time, as in an AR(1) process, plus noise without correlation. The power of
// the fluctuation has fallen to a half at turn, in half periods per run.
func falling(n int, turn, noise float64) spectrum {
	s := make(spectrum, n)
	for j := range s {
		x := (float64(j) + .5) / turn
		s[j] = (1/(1+x*x) + noise) / (1 + noise)
	}
	return s
}

// likelihood is the logarithm of the likelihood of the power, at the scale that
// makes it largest.
func (s spectrum) likelihood(power []float64) float64 {
	logs, scale := 0.0, 0.0
	for j, p := range power {
		logs += math.Log(s[j])
		scale += p / s[j]
	}
	n := float64(len(power))
	return -(logs + n*math.Log(max(scale/n, math.SmallestNonzeroFloat64))) / 2
}

// fluctuation says how the number of calls beyond a latency varies.
type fluctuation struct {
	variance float64 // of the sum of all batches, from the lowest frequencies
	overall  float64 // the same from all frequencies: with less error, but with some bias
	skew     float64 // of the distribution of that sum
	// clumps is the number of batches that make up the variance, (Σd²)²/Σd⁴: about
	// a third of all where each batch has many events, and 1 where a single pause
	// made all slow calls.
	clumps float64
	trend  bool // see trends
	phases int  // stretches of the run in which more calls than usual were beyond the latency
}

// leastChance is the share of the binomial variance that is assumed in any case.
// Regular arrivals may make a share vary less than chance within a run, and runs
// still differ, since they do not all begin alike.
const leastChance = .5

func (t tail) fluctuation(s spectrum) fluctuation {
	power := t.power()
	trend := trends(power, t.binomial()*leastChance)
	for j := range power {
		power[j] /= s[j]
	}
	var squares, cubes, fourths float64
	excess := t.excess()
	for _, d := range excess {
		squares, cubes, fourths = squares+d*d, cubes+d*d*d, fourths+d*d*d*d
	}
	least := leastChance * t.binomial()
	slow := slowPhases(excess)
	if squares < least { // less than chance makes: no batch outweighs another
		excess = slices.Repeat([]float64{1}, len(excess))
		slow = excess
	}
	return fluctuation{
		variance: max(mean(power[:s.low()])+t.within, least),
		overall:  max(mean(power)+t.within, least),
		skew:     cubes / math.Pow(max(squares, least), 1.5),
		clumps:   min(clumps(excess), clumps(slow)),
		phases:   count(slow),
		trend:    trend,
	}
}

// trends reports whether the power at 1/2 and 1 period per run is more than that at
// the other frequencies, and than the variance by chance, by more than chance makes
// it in 1 of 250 runs: a slow phase has then begun or ended outside of the run.
func trends(power []float64, chance float64) bool {
	return mean(power[:2]) > 6.5*max(mean(power[2:]), chance)
}

// loadTrends reports the same of the number of calls. A load that has risen all the
// time says little of the percentiles of the whole day, whatever their spread.
func (t tail) loadTrends() bool {
	calls := tail{shares: shares{with: t.all, all: make([]float64, len(t.all))}, last: t.last}
	for i := range calls.all {
		calls.all[i] = 1
	}
	calls.all[len(calls.all)-1] = t.last
	return trends(calls.power(), sum(t.all))
}

// clumps is the number of values that make up the sum of all squares.
func clumps(list []float64) float64 {
	var squares, fourths float64
	for _, d := range list {
		squares, fourths = squares+d*d, fourths+d*d*d*d
	}
	return squares * squares / fourths
}

// count is the number of phases, without those that are hardly slow beside the
// slowest.
func count(slow []float64) (n int) {
	for _, d := range slow {
		if d > slices.Max(slow)/10 {
			n++
		}
	}
	return n
}

// related is the correlation of neighbours, in standard errors, from which batches
// are taken to belong together.
const related = 2.5

// slowPhases joins neighbours on the same side of the mean, so that a slow phase
// that spans batches counts once, and returns the excess of each slow one. Batches
// without a correlation are left as they are: neighbours are then alike by chance.
func slowPhases(excess []float64) (list []float64) {
	if !correlated(excess) {
		return excess
	}
	before := 0.0
	for _, d := range excess {
		switch {
		case d > 0 && before > 0:
			list[len(list)-1] += d
		case d > 0:
			list = append(list, d)
		}
		before = d
	}
	return list
}

// correlated reports whether neighbours are.
func correlated(excess []float64) bool {
	squares, products, before := 0.0, 0.0, 0.0
	for _, d := range excess {
		squares, products, before = squares+d*d, products+d*before, d
	}
	return products*math.Sqrt(float64(len(excess))) > related*squares
}

// skewed is a standard error, and the skewness of the distribution.
type skewed struct{ err, skew float64 }

// times is the error times Student's t, moved to the side on which the
// distribution has its long tail: by Hall's and Johnson's transformation, in the
// form of Willink, "A confidence interval and test for the mean of an asymmetric
// distribution", Comm. Stat. 34 (2005).
func (s skewed) times(t float64) float64 {
	a := s.skew / 6
	if math.Abs(a) > 1e-3 {
		t = (math.Cbrt(1+6*a*(t-a)) - 1) / (2 * a)
	}
	return t * s.err
}

// studentT is the 97.5th percentile of Student's t distribution, to within 0.03
// from 3 degrees of freedom on and 0.001 from 8: Abramowitz and Stegun, 26.7.5.
func studentT(freedom int) float64 {
	const z = 1.959964
	n := float64(freedom)
	power := func(n float64) float64 { return math.Pow(z, n) }
	return z + (power(3)+z)/(4*n) + (5*power(5)+16*power(3)+3*z)/(96*n*n) +
		(3*power(7)+19*power(5)+17*power(3)-15*z)/(384*n*n*n)
}
