package line

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const ms = time.Millisecond

// sent is what became of packets of 1,500 bytes that enter one every gap.
func sent(s Shape, n int, gap time.Duration) (w *Way, left []time.Duration) {
	w = NewWay(s, 1)
	for i := range n {
		if at, ok := w.Enter(time.Duration(i)*gap, 1500); ok {
			left = append(left, at)
		}
	}
	return w, left
}

func TestDelay(t *testing.T) {
	_, left := sent(Shape{Delay: 5 * ms}, 3, ms)
	assert.Equal(t, []time.Duration{5 * ms, 6 * ms, 7 * ms}, left)
}

// TestRate: 1,514 bytes at 12.112 Mbit/s take 1 ms.
func TestRate(t *testing.T) {
	_, left := sent(Shape{Rate: 12_112_000, Delay: 5 * ms}, 3, 0)
	assert.Equal(t, []time.Duration{6 * ms, 7 * ms, 8 * ms}, left, "one after the other")
	_, left = sent(Shape{Rate: 12_112_000}, 3, 2*ms)
	assert.Equal(t, []time.Duration{ms, 3 * ms, 5 * ms}, left, "an idle line does not save up")
}

func TestRoom(t *testing.T) {
	for _, c := range []struct {
		about string
		shape Shape
		want  int
	}{
		{"nothing waits without a rate", Shape{Delay: ms}, 0},
		{"what is asked for", Shape{Rate: 1e9, Queue: 2000}, 2000},
		{"rate × round trip", Shape{Rate: 1e9, Delay: 50 * ms}, 12_500_000},
		{"5 ms at least", Shape{Rate: 1e9}, 625_000},
		{"64 packets at least", Shape{Rate: 1e6}, 64 * 1514},
	} {
		assert.Equal(t, c.want, c.shape.room(), c.about)
	}
	w, left := sent(Shape{Rate: 12_112_000, Queue: 3 * 1514}, 10, 0)
	assert.Len(t, left, 3)
	assert.Equal(t, Counts{Packets: 10, Dropped: 7, Bytes: 3 * 1514}, w.Counts)
}

// TestLoss: the number of lost packets is binomial, with a standard deviation of
// √(n·p·(1-p)); 99 % of all lie within 2.58 of them.
func TestLoss(t *testing.T) {
	const n = 1_000_000
	for _, p := range []float64{0.0001, 0.001, 0.01, 0.5} {
		w, left := sent(Shape{Loss: p}, n, 0)
		assert.InDelta(t, n*p, w.Lost, 2.58*math.Sqrt(n*p*(1-p)), "%v", p)
		assert.EqualValues(t, n-w.Lost, len(left))
	}
	_, left := sent(Shape{Loss: 1}, 1000, 0)
	assert.Empty(t, left)
}

// TestDecisionsRepeat: the same packets are lost each time, others with another seed, and
// jitter changes nothing about it.
func TestDecisionsRepeat(t *testing.T) {
	fates := func(s Shape, seed uint64) (list []bool) {
		w := NewWay(s, seed)
		for range 1000 {
			_, ok := w.Enter(0, 100)
			list = append(list, ok)
		}
		return list
	}
	first := fates(Shape{Loss: 0.1}, 1)
	assert.Equal(t, first, fates(Shape{Loss: 0.1}, 1))
	assert.Equal(t, first, fates(Shape{Loss: 0.1, Jitter: ms}, 1))
	assert.NotEqual(t, first, fates(Shape{Loss: 0.1}, 2))
}

// TestJitter: packets far from each other are late by half of the jitter in the mean, with a
// standard deviation of jitter/√12 of each; near ones keep their order.
func TestJitter(t *testing.T) {
	const n = 10_000
	_, left := sent(Shape{Delay: ms, Jitter: ms}, n, 10*ms)
	var sum time.Duration
	for i, at := range left {
		late := at - time.Duration(i)*10*ms - ms
		assert.True(t, late >= 0 && late <= ms)
		sum += late
	}
	assert.InDelta(t, 0.5, (sum/n).Seconds()*1000, 2.58/math.Sqrt(12*n))
	_, left = sent(Shape{Jitter: ms}, n, ms/100)
	assert.IsIncreasing(t, append([]time.Duration{-1}, distinct(left)...))
}

// distinct leaves out packets that leave with the one before them.
func distinct(list []time.Duration) (rest []time.Duration) {
	for i, at := range list {
		if i == 0 || at != list[i-1] {
			rest = append(rest, at)
		}
	}
	return rest
}

func TestTakes(t *testing.T) {
	assert.Equal(t, 5*ms, Shape{Delay: 5 * ms}.Takes(1<<20))
	assert.Equal(t, 2*ms, Shape{Delay: ms, Rate: 12_112_000}.Takes(1448), "a packet of 1,514 bytes")
	assert.Equal(t, 3*ms, Shape{Delay: ms, Rate: 12_112_000}.Takes(2*1448))
	assert.Zero(t, Shape{Rate: 1e9}.Takes(0))
}
