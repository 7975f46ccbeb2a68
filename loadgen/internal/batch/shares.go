// Package batch tells how well the share of calls with some property is known. The run
// is cut into batches, and the share is counted in each: calls that are near in time
// have similar latencies, so that single calls say too little about the error.
package batch

import "math"

// MinEvents is how many independent events the count of a tail needs at least; with
// fewer an interval would be too narrow.
const MinEvents = 12

// Shares tells how well the share of calls with some property is known, from how
// the share varies between batches: the method of batch means.
type Shares struct {
	With, All []float64 // calls with the property, and all calls, of each batch
}

// Add adds a batch.
func (s *Shares) Add(with, all int64) {
	s.With, s.All = append(s.With, float64(with)), append(s.All, float64(all))
}

// Share is the share in all batches together, NaN if they have no calls.
func (s *Shares) Share() float64 { return Sum(s.With) / Sum(s.All) }

// StdErr is the standard error of the number of calls with the property less the
// number that the given share of all calls would be.
func (s *Shares) StdErr(share float64) float64 {
	squares, n := 0.0, float64(len(s.All))
	mean := (Sum(s.With) - share*Sum(s.All)) / n
	for i, all := range s.All {
		d := s.With[i] - share*all - mean
		squares += d * d
	}
	return math.Sqrt(squares * n / (n - 1))
}

// LogitErr is the standard error of the logarithm of the share's odds; 0 if no
// call or every call has the property.
func (s *Shares) LogitErr() float64 {
	p := s.Share()
	if p == 0 || p == 1 {
		return 0
	}
	return s.StdErr(p) / Sum(s.All) / (p * (1 - p))
}

// Sum is the sum of the list.
func Sum(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

func mean(list []float64) float64 { return Sum(list) / float64(len(list)) }
