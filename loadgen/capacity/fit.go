package capacity

import "math"

// resolution is the share by which the last rates that held and failed differ when the
// bisection ends.
const resolution = .01

// fit is where the line meets the objective.
type fit struct {
	rate, reach float64 // calls/s, and how far the 95 % interval reaches from there
	spread      float64 // standard deviation between probes of the logarithm of the odds
}

// fitTo fits a line to the numbers of late calls of the probes, see lateCalls. Where
// probes differ from that by more than the clumps of late calls explain, the line is one
// by weighted least squares through the logarithms of the odds. The error of where it
// meets the objective is by the delta method. fitTo returns false if no line rises: where
// more load does not make more calls late, the line meets the objective at no rate that
// would mean anything. unit is a rate near the capacity.
func fitTo(probes []Probe, quantile, unit float64) (l fit, ok bool) {
	l.spread = leastSpread
	line, n, ok := lineThroughCounts(probes, quantile, unit)
	if !ok {
		used := near(probes)
		l.spread, n = spreadOf(used, unit), len(used)
		line = lineOf(used, l.spread, unit)
	}
	if n < 2 || !(line.slope > 0) || math.IsInf(line.slope, 1) {
		return fit{}, false
	}
	l.rate = unit * (1 + line.cross)
	l.reach = unit * (2.2*math.Sqrt(line.variance*line.excess(n)) + resolution/2)
	return l, true
}
