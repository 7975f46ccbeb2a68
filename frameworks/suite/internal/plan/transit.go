package plan

import (
	"cmp"
	"math"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// What TCP does over a network, for the times of calls. They are rough: a watchdog
// allows for more, and progress goes by what a run measures.
const (
	window      = 2 << 20                // bytes that a connection has under way when it has warmed up
	leastWindow = 64 << 10               // the same of a connection that has not, or that HTTP/2 limits unless told otherwise
	resend      = 200 * time.Millisecond // the least time after which TCP sends again what was not acknowledged
	callBytes   = 200                    // bytes of a call beside its payload, each way
	openTrips   = 20                     // round trips until a connection is open, greeted and warm
)

// speed is how many bytes of payload per second a number of connections carry, each
// way, each with as many bytes under way as its window; +Inf for no limit. Slows says that
// they slow down when packets are lost.
func (n Network) speed(conns, window int, slows bool) float64 {
	packet := float64(n.Line.Largest())
	most, each := math.Inf(1), float64(window)/n.Line.RoundTrip().Seconds()
	if slows {
		each = min(each, (packet-line.TCP)*n.packets())
	}
	if n.Line.Rate > 0 {
		most = float64(n.Line.Rate) / 8 * (packet - line.TCP) / (packet + line.Ethernet)
	}
	return min(most, each*float64(conns))
}

// packets is how many packets per second a TCP connection sends where some are lost, by
// the formula of Padhye and others (RFC 5348); +Inf if none is.
func (n Network) packets() float64 {
	p, round := n.Line.Loss, n.Line.RoundTrip()
	halved := round.Seconds() * math.Sqrt(2*p/3)
	waited := (resend + round).Seconds() * min(1, 3*math.Sqrt(3*p/8)) * p * (1 + 32*p*p)
	return 1 / (halved + waited)
}

// seconds is the time that bytes take at a speed.
func seconds(bytes, speed float64) time.Duration {
	return time.Duration(min(bytes/speed, forever.Seconds()) * float64(time.Second))
}

// forever stands for a time without end: a year.
const forever = 365 * 24 * time.Hour

// window is how many bytes a connection has under way at most when it has warmed up.
func (c Case) window() int {
	if own, err := ParseSize(c.Variant.Window); err == nil && own > 0 {
		return min(own, window)
	}
	return window
}

// conns is how many connections carry the calls in flight.
func (c Case) conns() int { return max(min(c.Workers, c.Opens()), 1) * max(c.Servers, 1) }

// mean is the bytes of a call each way, as the mean of all calls.
func (c Case) mean() float64 {
	return float64(cmp.Or(c.Mean, max(c.Size, c.Largest)) + callBytes)
}

// Carry is the time from one call to the next that the network allows.
func (c Case) Carry() time.Duration {
	return seconds(c.mean(), c.speed(c.conns(), c.window(), c.slows))
}

// Alone is how long the network holds up a call when there is no other.
func (c Case) Alone() time.Duration {
	if !c.Waits() {
		return 0
	}
	once := seconds(c.mean(), c.speed(1, c.window(), c.slows))
	if c.Overlaps {
		return c.Line.RoundTrip() + once
	}
	return c.Line.RoundTrip() + 2*once
}

// Worst is how much longer a call of this size may take than without the network.
func (n Network) Worst(size int) time.Duration {
	return Case{Network: n, Spec: Spec{Workers: 1, Size: size, Conns: 1, Servers: 1}}.Patience()
}

// Patience is how much longer the network lets a call take, at worst, than one that
// nothing lies in the way of: connections are new, and those of all workers share it.
func (c Case) Patience() time.Duration {
	if !c.Waits() {
		return 0
	}
	bytes := float64(c.Workers)*c.mean() + float64(max(c.Size, c.Largest))
	worst := openTrips*c.Line.RoundTrip() + 2*seconds(bytes, c.speed(c.conns(), min(c.window(), leastWindow), true))
	return min(2*worst, forever).Round(time.Second)
}
