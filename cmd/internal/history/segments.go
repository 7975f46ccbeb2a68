package history

import "math"

// contrasts are the sums of figures up to each version, from which the difference of
// any part of the versions from the others is computed.
type contrasts []float64

func contrastsOf(effects []float64) contrasts {
	sums := make(contrasts, len(effects)+1)
	for i, e := range effects {
		sums[i+1] = sums[i] + e
	}
	return sums
}

// difference of the versions from..to−1 from the others of lo..hi−1, and the number
// 1/n + 1/m by which the variance of one version's figure is multiplied to have that of
// the difference.
func (c contrasts) difference(lo, hi, from, to int) (d, factor float64) {
	n, m := float64(to-from), float64(hi-lo-to+from)
	in := c[to] - c[from]
	return in/n - (c[hi]-c[lo]-in)/m, 1/n + 1/m
}

// clearest finds the part of lo..hi−1 that differs most from the others, in standard
// deviations of one version's figure. One end of the part may be that of the whole; it is
// a single step then.
func (c contrasts) clearest(lo, hi int) (from, to int, z float64) {
	n := float64(hi - lo)
	mean := (c[hi] - c[lo]) / n
	for i := lo + 1; i < hi; i++ {
		for j := i + 1; j <= hi; j++ {
			in := float64(j - i)
			over := c[j] - c[i] - in*mean // is d·in·(n−in)/n
			if now := over * over * n / (in * (n - in)); now > z {
				from, to, z = i, j, now
			}
		}
	}
	return from, to, math.Sqrt(z)
}

// segments is where versions are cut.
type segments struct {
	contrasts
	clear float64 // how many standard deviations of one version's figure make a step
	least float64 // the smallest difference that is one
}

// find cuts lo..hi−1 at the ends of the part that is clearest, and then each piece.
func (s segments) find(lo, hi int) (cuts []int) {
	from, to, z := s.clearest(lo, hi)
	if z == 0 || z < s.clear {
		return nil
	}
	cuts = append(s.find(lo, from), from)
	cuts = append(cuts, s.find(from, to)...)
	if to < hi {
		cuts = append(append(cuts, to), s.find(to, hi)...)
	}
	return cuts
}

// keep takes out, one after another, the least clear of the cuts at which the pieces on
// both sides do not differ enough.
func (s segments) keep(cuts []int) []int {
	for {
		worst, least := -1, math.Inf(1)
		for i := range cuts {
			d, z := s.at(cuts, i)
			if (z < s.clear || math.Abs(d) < s.least) && z < least {
				worst, least = i, z
			}
		}
		if worst < 0 {
			return cuts
		}
		cuts = append(cuts[:worst:worst], cuts[worst+1:]...)
	}
}

// at is by how much the piece behind a cut differs from the piece before it, and how
// clearly.
func (s segments) at(cuts []int, i int) (d, z float64) {
	lo, hi := around(cuts, i, len(s.contrasts)-1)
	d, factor := s.difference(lo, hi, cuts[i], hi)
	return d, math.Abs(d) / math.Sqrt(factor)
}
