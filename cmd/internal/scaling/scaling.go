// Package scaling fits the universal scalability law to throughputs measured with several
// numbers of cores:
//
//	X(N) = λN / (1 + σ(N−1) + κN(N−1))
//
// λ is the throughput of one core. σ is contention: the part of the work that cores do one after
// the other, as in Amdahl's law. κ is coherency: what each pair of cores spends on agreeing, which
// makes a curve fall behind its peak. See N. J. Gunther, "A General Theory of Computational
// Scalability Based on Rational Functions", arXiv:0808.1431, 2008, and Guerrilla Capacity
// Planning, 2007, chapters 4 to 6.
//
// The fit has the least sum of squares of 1 − x/X(N), the relative errors, over the values x of
// all rounds, with σ and κ from 0 up. N/X(N) is linear in 1/λ, σ/λ and κ/λ, so the least is found
// without a search: with both, with one of them at 0, or with both there.
//
// Intervals are of 95 %, by the delta method on the fit without bounds, and are cut at 0: one that
// holds the truth still does. The error of a value is estimated from all of them. Where the means
// of points are farther from the curve than twice what the spread of their rounds explains, as
// when a number of cores crosses to another node, more rounds do not help: the error is then that of
// the means, with as many degrees of freedom as there are points beyond three. Errors are taken to
// be independent. What makes a whole round slower changes λ, of which the interval is then too
// narrow, and widens those of σ and κ.
package scaling

import (
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Fewest is the least number of points, of different cores, that are fitted: three parameters
// go through any three points.
const Fewest = 4

// Point is what was measured with a number of cores.
type Point struct {
	Cores      float64   // 1 or more
	Throughput []float64 // of each round; each above 0
}

// Estimate is a parameter with its interval of 95 %.
type Estimate struct{ Value, Low, High float64 }

// Law is a fitted curve.
type Law struct {
	Lambda, Sigma, Kappa Estimate
	// Misfit is how far the mean of the farthest point is from the curve, as a part of the curve.
	Misfit float64
}

// TooFew is the error of a fit of too few points.
type TooFew struct{ Points int }

func (e *TooFew) Error() string {
	return fmt.Sprintf("%d numbers of cores are too few for a fit, which takes %d", e.Points, Fewest)
}

// At returns the throughput with a number of cores.
func (l Law) At(cores float64) float64 {
	return l.Lambda.Value * cores / (1 + l.Sigma.Value*(cores-1) + l.Kappa.Value*cores*(cores-1))
}

// Peak returns with how many cores the throughput is highest, 1 at least; infinite if it has no
// peak.
func (l Law) Peak() float64 {
	switch {
	case l.Sigma.Value >= 1:
		return 1
	case l.Kappa.Value == 0:
		return math.Inf(1)
	}
	return max(math.Sqrt((1-l.Sigma.Value)/l.Kappa.Value), 1)
}

// Fit fits the law to points, of which those of equal cores are one. The error is *TooFew.
func Fit(points []Point) (Law, error) {
	points = merged(points)
	if len(points) < Fewest {
		return Law{}, &TooFew{len(points)}
	}
	var s system
	for _, p := range points {
		for _, x := range p.Throughput {
			s.add(row(p.Cores, x))
		}
	}
	free := s.solve(true, true)
	l := lawOf(s.bounded())
	l.Misfit = l.misfit(points)
	l.estimate(free, s.inverse(), points)
	return l, nil
}

// merged puts the points of equal cores together, and leaves out those without values.
func merged(points []Point) (list []Point) {
	for _, p := range points {
		i := slices.IndexFunc(list, func(q Point) bool { return q.Cores == p.Cores })
		switch {
		case len(p.Throughput) == 0:
		case i < 0:
			list = append(list, Point{p.Cores, slices.Clone(p.Throughput)})
		default:
			list[i].Throughput = append(list[i].Throughput, p.Throughput...)
		}
	}
	return list
}

// row are the factors of 1/λ, σ/λ and κ/λ in x/X(N).
func row(n, x float64) vector { return vector{x / n, x / n * (n - 1), x * (n - 1)} }

func lawOf(v vector) Law {
	return Law{Lambda: Estimate{Value: 1 / v[0]}, Sigma: Estimate{Value: v[1] / v[0]}, Kappa: Estimate{Value: v[2] / v[0]}}
}

func (l Law) misfit(points []Point) (most float64) {
	for _, p := range points {
		most = max(most, math.Abs(mean(p.Throughput)/l.At(p.Cores)-1))
	}
	return most
}

// estimate adds the intervals, of free, the solution without bounds, and its inverse.
func (l *Law) estimate(free vector, inverse matrix, points []Point) {
	variance, freedom := errorOf(free, points)
	t := student(freedom)
	half := func(gradient vector) float64 { return t * math.Sqrt(max(variance*inverse.of(gradient), 0)) }
	a, b, c := free[0], free[1], free[2]
	l.Lambda = l.Lambda.around(1/a, half(vector{-1 / a / a, 0, 0}))
	l.Sigma = l.Sigma.around(b/a, half(vector{-b / a / a, 1 / a, 0}))
	l.Kappa = l.Kappa.around(c/a, half(vector{-c / a / a, 0, 1 / a}))
}

// student is the 97.5th percentile of Student's t.
func student(freedom int) float64 { return stats.InvCDF(stats.TDist{V: float64(freedom)})(.975) }

// around is the value with an interval around another, which is cut at 0 and holds the value.
func (e Estimate) around(center, half float64) Estimate {
	e.Low, e.High = min(max(center-half, 0), e.Value), max(center+half, e.Value)
	return e
}

// apart is how many times as far as rounds explain the means are from a curve that does not fit.
const apart = 2

// errorOf returns the variance of a value's relative error, and of how many degrees of freedom
// it is known.
func errorOf(v vector, points []Point) (variance float64, freedom int) {
	within, between, values := 0., 0., 0
	for _, p := range points {
		middle := mean(p.Throughput)
		for _, x := range p.Throughput {
			within += square(v.dot(row(p.Cores, x)) - v.dot(row(p.Cores, middle)))
		}
		between += float64(len(p.Throughput)) * square(1-v.dot(row(p.Cores, middle)))
		values += len(p.Throughput)
	}
	ofRounds, ofMeans := values-len(points), len(points)-parameters
	if ofRounds > 0 && between/float64(ofMeans) <= apart*apart*within/float64(ofRounds) {
		return (within + between) / float64(ofRounds+ofMeans), ofRounds + ofMeans
	}
	return between / float64(ofMeans), ofMeans
}

func mean(values []float64) (sum float64) {
	for _, x := range values {
		sum += x / float64(len(values))
	}
	return sum
}

func square(x float64) float64 { return x * x }
