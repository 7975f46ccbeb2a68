package batch

import "math"

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

// Spectrum is the power expected at each of the frequencies of Tail.power, over the
// power at frequency 0.
type Spectrum []float64

// MinLevel is the lowest Level at which an interval can be given.
const MinLevel = .2

// How the curve of the power is chosen.
const (
	lowest      = 16 // frequencies that are averaged
	evidence    = 2  // logarithm of the likelihood by which a falling curve must be better than a level one
	proof       = 4  // the same, for a curve that falls so far that there is no interval
	asLikely    = 1  // curves worse than the best by less than this may be true as well
	lowestTurn  = 1  // in half periods per run
	highestTurn = 64
)

// Low is how many of the lowest frequencies are averaged.
func (s Spectrum) Low() int { return min((len(s)+1)/2, lowest) }

// Level is the mean of the curve over the lowest frequencies: near 1 where
// fluctuations are fast, and small where they are slow.
func (s Spectrum) Level() float64 { return mean(s[:s.Low()]) }

// Spectrum fits a curve to the power by its likelihood (Whittle's, in which each
// power is the curve times the square of a normal deviate). A level curve is
// kept unless another is clearly better. Of the curves that are then about as likely
// as the best, the one that falls the most is chosen, since it makes the widest
// interval: the error of doing so is on the safe side.
func (t Tail) Spectrum() Spectrum {
	power := t.power()
	chosen := falling(len(power), math.Inf(1), 0)
	level, best := chosen.likelihood(power), 0.0
	curves := candidates(len(power))
	likely := make([]float64, len(curves))
	for i, s := range curves {
		likely[i] = s.likelihood(power) - level
		best = max(best, likely[i])
	}
	if best <= evidence || Sum(power) < leastChance*t.Binomial() {
		return chosen
	}
	least := 0.0 // level
	if best <= proof {
		least = MinLevel
	}
	for i, s := range curves {
		if likely[i] > best-asLikely && s.Level() < chosen.Level() && s.Level() >= least {
			chosen = s
		}
	}
	return chosen
}

// candidates are curves that turn at different frequencies and have different
// shares of noise.
func candidates(n int) (list []Spectrum) {
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
func falling(n int, turn, noise float64) Spectrum {
	s := make(Spectrum, n)
	for j := range s {
		x := (float64(j) + .5) / turn
		s[j] = (1/(1+x*x) + noise) / (1 + noise)
	}
	return s
}

// likelihood is the logarithm of the likelihood of the power, at the scale that
// makes it largest.
func (s Spectrum) likelihood(power []float64) float64 {
	logs, scale := 0.0, 0.0
	for j, p := range power {
		logs += math.Log(s[j])
		scale += p / s[j]
	}
	n := float64(len(power))
	return -(logs + n*math.Log(max(scale/n, math.SmallestNonzeroFloat64))) / 2
}
