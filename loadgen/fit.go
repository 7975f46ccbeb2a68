package loadgen

import "math"

// The fit takes probes whose share of calls over the latency is at most so many
// times, or a part of, what the objective allows: the line is none further off.
// A little error of each is that it is none even there.
const (
	fitSpan  = 30
	fitError = .1
	maxError = 3
)

// fit is a line of the odds of a call to be over the latency over the rate, and
// where it crosses the objective's.
type fit struct {
	rate, reach float64 // where, and how far the 95 % interval goes from there
	mood        float64 // standard error of a probe, beside that of its batches
}

// moody is a mood to warn of: the callee, or the machine, is not the same for all
// probes.
const moody = .4

// fit returns false when the probes make no line that rises. The line is the
// weighted least squares of textbooks, with the delta method for the crossing's
// error.
func (s *search) fit() (f fit, ok bool) {
	var used []Probe
	for _, p := range s.Probes {
		if p.fits() {
			used = append(used, p)
		}
	}
	f.mood = moodOf(used, s.holds)
	l := lineOf(used, f.mood, s.holds)
	if len(used) < 2 || !(l.slope > 0) || math.IsInf(l.slope, 1) {
		return fit{}, false
	}
	if n := len(used) - 2; n > 0 {
		l.variance *= max(1, l.scatter/float64(n))
	}
	f.rate, f.reach = s.holds*(1+l.cross), s.holds*(2.2*math.Sqrt(l.variance)+resolution/2)
	return f, true
}

// moodOf is the least error of probes at which they are no further from their
// line than errors say (Paule and Mandel), if that is a mood to warn of.
func moodOf(probes []Probe, unit float64) float64 {
	mood := fitError
	for m := moody; m < maxError && lineOf(probes, m, unit).scatter > float64(len(probes)-2); m *= 1.2 {
		mood = m * 1.2
	}
	return mood
}

// line is over the rate as a part of unit, less 1.
type line struct {
	slope           float64
	cross, variance float64 // where it is 0
	scatter         float64 // sum of the squares of the probes' distances, in standard errors
}

func lineOf(probes []Probe, mood, unit float64) line {
	var w, x, y, xx, xy float64
	for _, p := range probes {
		weight, at := p.weight(mood), p.Rate/unit-1
		w, x, y = w+weight, x+weight*at, y+weight*p.odds
		xx, xy = xx+weight*at*at, xy+weight*at*p.odds
	}
	det := w*xx - x*x
	slope, level := (w*xy-x*y)/det, (xx*y-x*xy)/det
	cross := -level / slope
	l := line{slope: slope, cross: cross, variance: (xx + cross*cross*w - 2*cross*x) / det / (slope * slope)}
	for _, p := range probes {
		off := p.odds - level - slope*(p.Rate/unit-1)
		l.scatter += p.weight(mood) * off * off
	}
	return l
}

func (p Probe) fits() bool { return math.Abs(p.odds) < math.Log(fitSpan) && p.oddsErr > 0 }

func (p Probe) weight(mood float64) float64 { return 1 / (p.oddsErr*p.oddsErr + mood*mood) }
