package batch

import "math"

// Skewed is a standard error, and the skewness of the distribution.
type Skewed struct{ Err, Skew float64 }

// Times is the error times Student's t, moved to the side on which the
// distribution has its long tail: by Hall's and Johnson's transformation, in the
// form of Willink, "A confidence interval and test for the mean of an asymmetric
// distribution", Comm. Stat. 34 (2005).
func (s Skewed) Times(t float64) float64 {
	a := s.Skew / 6
	if math.Abs(a) > 1e-3 {
		t = (math.Cbrt(1+6*a*(t-a)) - 1) / (2 * a)
	}
	return t * s.Err
}

// StudentT is the 97.5th percentile of Student's t distribution, to within 0.03
// from 3 degrees of freedom on and 0.001 from 8: Abramowitz and Stegun, 26.7.5.
func StudentT(freedom int) float64 {
	const z = 1.959964
	n := float64(freedom)
	power := func(n float64) float64 { return math.Pow(z, n) }
	return z + (power(3)+z)/(4*n) + (5*power(5)+16*power(3)+3*z)/(96*n*n) +
		(3*power(7)+19*power(5)+17*power(3)-15*z)/(384*n*n*n)
}
