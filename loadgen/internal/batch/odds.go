package batch

import "math"

// Logit is the logarithm of the odds of p: −∞ for 0 and +∞ for 1.
func Logit(p float64) float64 { return math.Log(p / (1 - p)) }

// OddsTimes is the share whose odds are those of p, multiplied by times.
func OddsTimes(p, times float64) float64 {
	odds := p / (1 - p) * times
	return odds / (1 + odds)
}
