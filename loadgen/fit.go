package loadgen

import "math"

// The fit takes probes whose share of calls over the latency is at most so many
// times, or a part of, what the objective allows: the line is none further off.
// A little error of each is that it is none even there.
const (
	fitSpan  = 30
	fitError = .1
)

// fit returns where the odds of a call to be over the latency, as a line over
// the rate, cross the objective's, and how far the 95 % interval reaches from
// there; false when the probes make no line that rises. It is the weighted least
// squares of textbooks, with the delta method for the crossing's error.
func (s *search) fit() (rate, reach float64, ok bool) {
	var w, x, y, xx, xy float64
	var used []Probe
	for _, p := range s.Probes {
		if p.fits() {
			used = append(used, p)
			weight, at := p.weight(), p.Rate/s.holds-1
			w, x, y = w+weight, x+weight*at, y+weight*p.odds
			xx, xy = xx+weight*at*at, xy+weight*at*p.odds
		}
	}
	det := w*xx - x*x
	slope, level := (w*xy-x*y)/det, (xx*y-x*xy)/det
	if len(used) < 2 || !(slope > 0) || math.IsInf(slope, 1) {
		return 0, 0, false
	}
	cross := -level / slope
	scatter := 0.0
	for _, p := range used {
		off := p.odds - level - slope*(p.Rate/s.holds-1)
		scatter += p.weight() * off * off
	}
	variance := (xx + cross*cross*w - 2*cross*x) / det / (slope * slope)
	if n := len(used) - 2; n > 0 {
		variance *= max(1, scatter/float64(n))
	}
	return s.holds * (1 + cross), s.holds * (2.2*math.Sqrt(variance) + resolution/2), true
}

func (p Probe) fits() bool { return math.Abs(p.odds) < math.Log(fitSpan) && p.oddsErr > 0 }

func (p Probe) weight() float64 { return 1 / (p.oddsErr*p.oddsErr + fitError*fitError) }
