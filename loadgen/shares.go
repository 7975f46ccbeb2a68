package loadgen

import "math"

// shares tells how well the share of calls with some property is known, from how
// the share varies between batches: the method of batch means.
type shares struct {
	with, all []float64 // calls with the property, and all calls, of each batch
}

func (s *shares) add(with, all int64) {
	s.with, s.all = append(s.with, float64(with)), append(s.all, float64(all))
}

// share is the share in all batches together, NaN if they have no calls.
func (s *shares) share() float64 { return sum(s.with) / sum(s.all) }

// stdErr is the standard error of the number of calls with the property less the
// number that the given share of all calls would be.
func (s *shares) stdErr(share float64) float64 {
	squares, n := 0.0, float64(len(s.all))
	mean := (sum(s.with) - share*sum(s.all)) / n
	for i, all := range s.all {
		d := s.with[i] - share*all - mean
		squares += d * d
	}
	return math.Sqrt(squares * n / (n - 1))
}

// logitErr is the standard error of the logarithm of the share's odds; 0 if no
// call or every call has the property.
func (s *shares) logitErr() float64 {
	p := s.share()
	if p == 0 || p == 1 {
		return 0
	}
	return s.stdErr(p) / sum(s.all) / (p * (1 - p))
}

func sum(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

func mean(list []float64) float64 { return sum(list) / float64(len(list)) }
