package loadgen

import (
	"fmt"
	"math"
	"time"
)

// Confidence is how well a percentile of Result.Response is known. Latencies of
// neighbouring calls are alike, so that is not judged by single calls but by
// batches of them, 16 to 31 stretches of the run: by how much the share of
// calls beyond a latency differs between them. Low and High are the latencies
// for which that share is still in keeping with the percentile, by the logarithm
// of its odds and Student's t.
//
// See Schmeiser, "Batch size effects in the analysis of simulation output",
// Operations Research 30 (1982), for how many batches there should be, and
// Woodruff, "Confidence intervals for medians and other position measures",
// JASA 47 (1952), for going by the share.
type Confidence struct {
	Quantile float64 `json:"quantile"` // .5, .99 or .999, or that of Config.Until
	// Low and High hold the percentile in 95 of 100 runs, if a run is much
	// longer than the callee takes to get over a queue.
	Low  time.Duration `json:"low_ns"`
	High time.Duration `json:"high_ns"`
}

// Precision is how well a percentile shall be known.
type Precision struct {
	// Quantile is of Response, more than 0 and less than 1; .99 is p99.
	Quantile float64
	// Within is how far the 95 % interval may reach from its middle, as a share
	// of that: .05 is ±5 %. More than 0.
	Within float64
}

func (p Precision) validate() error {
	switch {
	case p == Precision{}:
		return nil
	case !(p.Quantile > 0 && p.Quantile < 1):
		return fmt.Errorf("loadgen: Until.Quantile is %v: it must be more than 0 and less than 1, as .99 is for p99", p.Quantile)
	case !(p.Within > 0) || math.IsInf(p.Within, 0):
		return fmt.Errorf("loadgen: Until.Within is %v: it must be more than 0, as .05 is for ±5 %%", p.Within)
	}
	return nil
}

// width is how far the interval reaches from its middle, as a share of that.
func (c Confidence) width() float64 {
	return float64(c.High-c.Low) / float64(max(c.High+c.Low, 1))
}

// The batches of a run: when there would be more, neighbours become one.
const (
	minBatches = 16
	maxBatches = 2*minBatches - 1
)

// batches are coarse histograms of the stretches of a run.
type batches struct {
	list []*coarse
	size int // intervals in a batch
	last int // intervals in the last one
}

// coarse is a histogram whose buckets are 3 % wide, 8 KB in all: where the
// share of calls is looked up hardly matters to how it varies.
type coarse struct {
	counts [numBuckets >> coarseBits]int64
	total  int64
}

const coarseBits = 5

// add takes the calls of the next interval.
func (b *batches) add(h *Histogram) {
	if len(b.list) == 0 || b.last == b.size {
		b.makeRoom()
		b.list, b.last = append(b.list, new(coarse)), 0
	}
	b.last++
	c := b.list[len(b.list)-1]
	c.total += h.total
	for i, n := range h.counts {
		c.counts[i>>coarseBits] += n
	}
}

// makeRoom has neighbours become one when there are too many for another.
func (b *batches) makeRoom() {
	b.size = max(b.size, 1)
	if len(b.list) < maxBatches+1 {
		return
	}
	for i := range minBatches {
		pair := b.list[2*i]
		pair.merge(b.list[2*i+1])
		b.list[i] = pair
	}
	b.list, b.size = b.list[:minBatches], 2*b.size
}

func (c *coarse) merge(other *coarse) {
	c.total += other.total
	for i, n := range other.counts {
		c.counts[i] += n
	}
}

// beyond returns how many calls were in the buckets after one of them.
func (c *coarse) beyond(bucket int) (n int64) {
	for _, m := range c.counts[bucket>>coarseBits+1:] {
		n += m
	}
	return n
}

// minEvents is how many independent events beyond a percentile make its
// interval hold: with fewer it is too narrow.
const minEvents = 10

// confidence is that of a percentile of h, which has the calls of all batches;
// false when there are too few batches or calls to say.
func (b *batches) confidence(h *Histogram, q float64) (Confidence, bool) {
	calls := float64(h.Count()) * min(q, 1-q)
	if len(b.list) < minBatches || min(calls, b.events(h, q)) < minEvents {
		return Confidence{}, false
	}
	c := Confidence{Quantile: q, Low: h.Quantile(q), High: h.Quantile(q)}
	t, less := studentT(len(b.list)-1), 0.0
	for range 5 { // the share is judged where the interval ends, and that settles
		more := oddsTimes(1-q, math.Exp(t*b.logitErr(h, c.Low)))
		less = oddsTimes(1-q, math.Exp(-t*b.logitErr(h, c.High)))
		c.Low, c.High = h.Quantile(1-more), h.Quantile(1-less)
	}
	return c, less*float64(h.Count()) >= 1
}

// events is how many independent events are beyond a percentile: calls come in
// clumps there. By how far the share of ten times as many calls varies, since
// that is known better.
func (b *batches) events(h *Histogram, q float64) float64 {
	tail := min(q, 1-q)
	wide := min(10*tail, .5)
	known := b.beyond(h.Quantile(1 - wide))
	stdErr := known.logitErr()
	return tail / wide / (stdErr * stdErr)
}

// logitErr is how well the odds of being beyond a latency are known: by how much
// the share of those calls varies, or that of three times as many, whichever
// says more. Few clumps beyond a percentile vary too little in one run of
// twenty; beyond any high latency the clumps of a queue are alike.
func (b *batches) logitErr(h *Histogram, latency time.Duration) float64 {
	tail := b.beyond(latency)
	p, err := tail.share(), tail.logitErr()
	wide := b.beyond(h.Quantile(1 - 3*p))
	w := wide.share()
	if p == 0 || w <= p || w > .5 {
		return err
	}
	return max(err, tail.logit(wide.stdErr(w)*math.Sqrt(p/w)))
}

// beyond is by batch how many calls were beyond a latency.
func (b *batches) beyond(latency time.Duration) (s shares) {
	for _, c := range b.list {
		s.add(c.beyond(bucketOf(latency)), c.total)
	}
	return s
}

// oddsTimes is the share whose odds are so many times those of p.
func oddsTimes(p, times float64) float64 {
	odds := p / (1 - p) * times
	return odds / (1 + odds)
}

// shares says how well the share of calls with some property is known, by that
// of each batch.
type shares struct {
	with, all []float64 // by batch
}

func (s *shares) add(with, all int64) {
	s.with, s.all = append(s.with, float64(with)), append(s.all, float64(all))
}

// share is that of all batches.
func (s *shares) share() float64 { return sum(s.with) / sum(s.all) }

// stdErr is the standard error of the number of calls with the property beyond
// a share of all.
func (s *shares) stdErr(share float64) float64 {
	squares, n := 0.0, float64(len(s.all))
	mean := (sum(s.with) - share*sum(s.all)) / n
	for i, all := range s.all {
		d := s.with[i] - share*all - mean
		squares += d * d
	}
	return math.Sqrt(squares * n / (n - 1))
}

// logitErr is the standard error of the logarithm of the share's odds; 0 for a
// share of none or of all.
func (s *shares) logitErr() float64 {
	p := s.share()
	if p == 0 || p == 1 {
		return 0
	}
	return s.logit(s.stdErr(p))
}

// logit makes of an error of the number of calls that of the logarithm of the
// share's odds.
func (s *shares) logit(stdErr float64) float64 {
	p := s.share()
	return stdErr / sum(s.all) / (p * (1 - p))
}

func sum(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// studentT is the 97.5th percentile of Student's t distribution, to within
// 0.001 from 15 degrees of freedom on: Abramowitz and Stegun, 26.7.5.
func studentT(freedom int) float64 {
	const z = 1.959964
	n := float64(freedom)
	return z + (z*z*z+z)/(4*n) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*n*n)
}
