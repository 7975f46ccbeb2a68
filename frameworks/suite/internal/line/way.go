package line

import (
	"math"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/splitmix"
)

// Way is one way of a line. It decides for each packet when it leaves, and whether. It is
// not for concurrent use.
type Way struct {
	shape Shape
	room  int
	seed  uint64
	index uint64        // of the next packet
	free  time.Duration // when the line will have sent all that it took
	last  time.Duration // when the last packet leaves
	Counts
}

// Counts are what a way did to packets, which have the size that they have on the wire,
// also where the system handed over many as one segment.
type Counts struct {
	Packets int64 // that entered
	Lost    int64 // of these, as the shape asks for
	Dropped int64 // of these, for which the queue had no room
	Bytes   int64 // of those that leave, with Ethernet's headers
}

// NewWay returns a way whose decisions depend on the seed and on the number of packets
// before: the same packet of two runs has the same fate.
func NewWay(s Shape, seed uint64) *Way { return &Way{shape: s, room: s.room(), seed: seed} }

// Enter takes a packet that enters at now, a time since any fixed one. It returns when the
// packet leaves, or false if it does not. A packet is lost on its way, when it has been
// sent, as in a network; so it takes its share of the rate.
func (w *Way) Enter(now time.Duration, size int) (leaves time.Duration, ok bool) {
	index := w.index
	w.index++
	w.Packets++
	size = w.shape.wire(size)
	if w.shape.Rate > 0 && w.waiting(now)+size > w.room {
		w.Dropped++
		return 0, false
	}
	w.free = max(w.free, now) + w.shape.sending(size)
	if w.shape.Loss > 0 && w.draw(index, forLoss) < w.shape.Loss {
		w.Lost++
		return 0, false
	}
	w.last = max(w.last, w.free+w.shape.Delay+w.late(index))
	w.Bytes += int64(size)
	return w.last, true
}

// waiting is the bytes in the queue, which are those that the line has still to send.
func (w *Way) waiting(now time.Duration) int {
	return int(max(w.free-now, 0).Seconds() * float64(w.shape.Rate) / 8)
}

// late is the part of the jitter that a packet has.
func (w *Way) late(index uint64) time.Duration {
	if w.shape.Jitter == 0 {
		return 0
	}
	return time.Duration(w.draw(index, forJitter) * float64(w.shape.Jitter))
}

// What a number is drawn for: each has numbers of its own, so that one does not change the
// other.
const (
	forLoss uint64 = iota + 1
	forJitter
)

// draw returns a number from 0 to 1 that depends on the packet alone.
func (w *Way) draw(index, what uint64) float64 {
	return float64(splitmix.Output(w.seed+(2*index+what)*splitmix.Golden)>>11) / math.Exp2(53)
}
