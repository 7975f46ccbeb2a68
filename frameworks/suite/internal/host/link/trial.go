package link

import (
	"fmt"
	"math"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// Trial is what a link did when nothing else used it.
type Trial struct {
	Rate       float64 // bits per second, with all headers; 0 if the shape has none
	Sent, Lost int64   // packets, at a rate that the line carries
	shape      line.Shape
	trips      []time.Duration // of pings, in order of their times
}

// RoundTrip returns the time within which this part of the pings came back; 0 if none did.
func (t Trial) RoundTrip(part float64) time.Duration {
	if len(t.trips) == 0 {
		return 0
	}
	return t.trips[min(int(part*float64(len(t.trips))), len(t.trips)-1)]
}

// String is the trial beside what the shape asks for.
func (t Trial) String() string {
	s := fmt.Sprintf("round trip %s, p99 %s (asked %s)", inMS(t.RoundTrip(.5)), inMS(t.RoundTrip(.99)), inMS(t.asked()))
	if t.shape.Rate > 0 {
		s += fmt.Sprintf(", %.4g Mbit/s (asked %.4g)", t.Rate/1e6, float64(t.shape.Rate)/1e6)
	}
	return s + fmt.Sprintf(", lost %d of %d packets (asked %.4g %%)", t.Lost, t.Sent, 100*t.shape.Loss)
}

// pinged is the size of a ping with the header of IP.
const pinged = 84

// asked is the median round trip of pings.
func (t Trial) asked() time.Duration { return 2*t.shape.Takes(pinged-line.TCP) + t.shape.Jitter }

func inMS(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

// How far a line may be from what it was asked for.
const (
	farMedian = 200 * time.Microsecond
	farP99    = time.Millisecond
	farRate   = .02
	sigmas    = 2.58 // of the lost packets' number: 99 % of all lie within
)

// Doubts says where the link is not what was asked for.
func (t Trial) Doubts() (list []string) {
	median, p99 := t.RoundTrip(.5), t.RoundTrip(.99)
	latest := t.asked() + t.shape.Jitter + farP99
	switch spread := t.spread(); {
	case len(t.trips) == 0 && t.shape.Loss < .9:
		list = append(list, "no ping came back")
	case len(t.trips) == 0:
	case (median-t.asked()).Abs() > farMedian+spread || p99 > latest:
		list = append(list, fmt.Sprintf("the round trip is %s, p99 %s, instead of %s", inMS(median), inMS(p99), inMS(t.asked())))
	}
	if asked := float64(t.shape.Rate) * (1 - t.shape.Loss); asked > 0 && math.Abs(t.Rate-asked) > farRate*asked {
		list = append(list, fmt.Sprintf("it carries %.4g Mbit/s instead of %.4g", t.Rate/1e6, asked/1e6))
	}
	n, p := float64(t.Sent), t.shape.Loss
	if far := sigmas*math.Sqrt(n*p*(1-p)) + .5; math.Abs(float64(t.Lost)-n*p) > far {
		list = append(list, fmt.Sprintf("it lost %d of %d packets instead of %.0f ± %.0f", t.Lost, t.Sent, n*p, far))
	}
	return list
}

// spread is how far the median of so few pings may be from that of all: 2.58 standard
// deviations. The sum of two jitters has one of J/√6, and the median of n values one that is
// 1.25 / √n of theirs.
func (t Trial) spread() time.Duration {
	return time.Duration(sigmas * 1.25 * float64(t.shape.Jitter) / math.Sqrt(6*float64(max(len(t.trips), 1))))
}
