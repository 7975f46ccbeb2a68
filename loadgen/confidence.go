package loadgen

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/batch"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/internal/sparse"
)

// Confidence is the interval in which a percentile of Result.Response lies.
//
// Calls that are near in time have similar latencies, so that single calls say
// too little about the error of a percentile. The run is therefore cut into 16 to
// 64 batches of equal length, 32 or more if it is long, and the share of calls beyond
// a latency is counted in each. Low and High are the latencies for which that share,
// and how it varies over the run, still agree with the percentile: see Woodruff,
// "Confidence intervals for medians and other position measures", JASA 47 (1952).
//
// A run that is too short has no interval. It is too short with fewer than 16
// batches or about 12 independent events beyond the percentile, or if it saw fewer
// than three slow phases, or latency or load rose or fell all the time. It is also
// too short if latency fluctuates more slowly than it is long; that alone is the
// warning ErrFluctuates. A percentile has no interval either where p50, p90 or p99,
// if lower, has none: a tail is not known better than what lies below it.
//
// A run cannot tell of what did not happen in it: an interval says nothing about a
// pause that comes once an hour, nor a run at the peak of a day about the day.
type Confidence struct {
	Quantile float64 `json:"quantile"` // .5, .99 or .999, or that of Config.Until
	// Low and High are on either side of the percentile in 95 of 100 runs. They
	// are at least a bucket of the Histogram apart, which is 0.1 %.
	Low  time.Duration `json:"low_ns"`
	High time.Duration `json:"high_ns"`
}

// Precision is how well a percentile is to be known.
type Precision struct {
	// Quantile of Response: more than 0 and less than 1; .99 is p99.
	Quantile float64
	// Within is how far the 95 % interval may reach from its middle, over that
	// middle: .05 is ±5 %. More than 0.
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

// width is how far the interval reaches from its middle, over that middle.
func (c Confidence) width() float64 {
	return float64(c.High-c.Low) / float64(max(c.High+c.Low, 1))
}

// An interval needs minBatches. When maxBatches are full, two neighbours become
// one batch.
const (
	minBatches = 16
	maxBatches = 64
)

// batches are coarse histograms of stretches of the run, all of the same length.
type batches struct {
	list  []*coarse
	spare []*coarse // unused, kept for the next run
	size  int       // stretches in a batch
	last  int       // stretches in the last batch, at most size
}

func (b *batches) empty() {
	*b = batches{list: b.list[:0], spare: append(b.spare, b.list...)}
}

// another returns a batch without calls.
func (b *batches) another() *coarse {
	n := len(b.spare) - 1
	if n < 0 {
		return new(coarse)
	}
	c := b.spare[n]
	b.spare = b.spare[:n]
	c.Empty()
	return c
}

// coarse is a histogram whose buckets are 3 % wide, 8 KB at most. Within a bucket
// the calls of a batch are assumed to be spread like those of the whole run.
type coarse struct{ sparse.Counts }

const coarseBits = 5

// add adds the calls that ended in the next stretch of the run, of which there may
// be none, and which are in the blocks in use. All stretches have the same length.
func (b *batches) add(h *Histogram, inUse *bucket.Blocks) {
	if len(b.list) == 0 || b.last == b.size {
		b.makeRoom()
		b.list, b.last = append(b.list, b.another()), 0
	}
	b.last++
	c := b.list[len(b.list)-1]
	inUse.Each(func(i int) {
		if n := h.counts[i]; n != 0 {
			c.Add(i>>coarseBits, n)
		}
	})
}

// makeRoom halves the number of batches when there is no room for another, by
// making one of two neighbours. So batches grow with the run, and memory does not.
func (b *batches) makeRoom() {
	b.size = max(b.size, 1)
	if len(b.list) < maxBatches {
		return
	}
	for i := range maxBatches / 2 {
		pair := b.list[2*i]
		pair.Merge(&b.list[2*i+1].Counts)
		b.list[i], b.spare = pair, append(b.spare, b.list[2*i+1])
	}
	b.list, b.size = b.list[:maxBatches/2], 2*b.size
}

// beyond returns how many calls were in the buckets after one of them.
func (c *coarse) beyond(bucket int) (n int64) {
	for _, m := range c.From(bucket + 1) {
		n += m
	}
	return n
}

// beyond counts, batch by batch, the calls beyond a latency. h has the calls of
// all batches.
func (b *batches) beyond(h *Histogram, latency time.Duration) (t batch.Tail) {
	at := bucket.Of(latency)
	bucket := at >> coarseBits
	in, over := int64(0), int64(0)
	for i := bucket << coarseBits; i < (bucket+1)<<coarseBits; i++ {
		in += h.counts[i]
		if i > at {
			over += h.counts[i]
		}
	}
	part := float64(over) / float64(max(in, 1))
	t.Within = float64(in) * part * (1 - part)
	for _, c := range b.list {
		t.With = append(t.With, float64(c.beyond(bucket))+part*float64(c.At(bucket)))
		t.All = append(t.All, float64(c.Total()))
	}
	t.Last = float64(b.last) / float64(b.size)
	return t
}

// When an interval can be given.
const (
	minClumps = 3 // see batch.Variation.Clumps
	minPhases = 3 // see batch.Variation.Phases
)

// errFew is why a percentile has no interval: too few calls, batches or slow phases.
var errFew = errors.New("loadgen: too few calls for an interval")

// confidence returns the interval of a percentile of h, which has the calls of
// all batches; false if there is none.
func (b *batches) confidence(h *Histogram, q float64) (Confidence, bool) {
	c, err := b.judged(h, q)
	return c, err == nil
}

// judged is the interval of a percentile, or why there is none. A tail is not known
// better than what lies below it: where a lower percentile of a report has no
// interval, neither has this one.
func (b *batches) judged(h *Histogram, q float64) (Confidence, error) {
	c, err := b.interval(h, q)
	for _, lower := range reported() {
		if err == nil && lower < q {
			_, err = b.interval(h, lower)
		}
	}
	return c, err
}

// reported are the quantiles of a report.
func reported() []float64 { return []float64{.5, .9, .99, .999} }

// doubts returns a warning that names the percentiles without an interval because
// latency fluctuates too slowly.
func (b *batches) doubts(h *Histogram, quantiles ...float64) (w warnings) {
	var names []string
	for _, q := range quantiles {
		if _, err := b.judged(h, q); errors.Is(err, ErrFluctuates) {
			names = append(names, figure.Percentile(q))
		}
	}
	w.add(len(names) > 0, ErrFluctuates, "how well %s is known cannot be said: a run several times as long is needed", strings.Join(names, ", "))
	return w
}

// interval is confidence with the reason if there is no interval: errFew or
// ErrFluctuates. That latency fluctuates too slowly is checked before the events
// are counted, since the count rests on the spectrum.
func (b *batches) interval(h *Histogram, q float64) (Confidence, error) {
	if len(b.list) < minBatches || float64(h.Count())*min(q, 1-q) < batch.MinEvents {
		return Confidence{}, errFew
	}
	at := h.Quantile(q)
	here := b.beyond(h, at)
	if batch.Sum(here.All) == 0 { // the calls ended after the last batch
		return Confidence{}, errFew
	}
	if here.LoadTrends() {
		return Confidence{}, errFew
	}
	if here.Share() == 0 {
		here = b.beyond(h, below(at))
	}
	if here.Share() == 1 { // all latencies are alike
		return Confidence{q, below(at), at}, nil
	}
	s := here.Spectrum()
	switch f := here.Variation(s); {
	case f.Phases < minPhases, f.Trend:
		return Confidence{}, errFew
	case s.Level() < batch.MinLevel:
		return Confidence{}, ErrFluctuates
	case b.events(h, q, s) < batch.MinEvents:
		return Confidence{}, errFew
	case f.Clumps < minClumps:
		return Confidence{}, ErrFluctuates
	}
	return b.invert(h, q, s)
}

// below is the highest latency of the bucket before the one that a latency is in.
func below(latency time.Duration) time.Duration {
	return bucket.High(max(bucket.Of(latency)-1, 0))
}

// events is the number of independent events beyond a percentile. Calls that wait
// together, behind the same pause or in the same queue, are one event. How many
// calls make an event is how far their variance exceeds that of independent calls.
// It is taken from a tail of ten times the calls, since few calls tell little about
// a variance.
func (b *batches) events(h *Histogram, q float64, s batch.Spectrum) float64 {
	tail := min(q, 1-q)
	wide := b.beyond(h, h.Quantile(1-min(10*tail, .5)))
	f := wide.Variation(s)
	clump := min(f.Variance, f.Overall) / wide.Binomial()
	return float64(h.Count()) * tail / max(1, clump)
}

// invert finds the interval: the latencies beyond which the share of calls differs
// from 1-q by the most that chance allows. Chance must be judged at the ends of the
// interval, which are not known before, so they are found step by step, from the
// percentile outwards; five steps are enough.
func (b *batches) invert(h *Histogram, q float64, s batch.Spectrum) (Confidence, error) {
	t := batch.StudentT(max(int(float64(s.Low())*s.Level()+.5), 3))
	c := Confidence{Quantile: q, Low: h.Quantile(q), High: h.Quantile(q)}
	less := 0.0
	for range 5 {
		more := batch.OddsTimes(1-q, math.Exp(b.logitError(h, below(c.Low), s).Times(t)))
		less = batch.OddsTimes(1-q, math.Exp(b.logitError(h, c.High, s).Times(-t)))
		c.Low, c.High = h.Quantile(1-more), h.Quantile(1-less)
	}
	c.Low = below(c.Low)
	if less*float64(h.Count()) < 1 {
		return c, errFew
	}
	return c, nil
}

// logitError is the standard error of the logarithm of the odds of a call beyond a
// latency. It comes from how the share of those calls varies, or from how the share
// of three times those calls does, whichever is larger. With few clumps beyond a
// percentile the variance is too small in one run of twenty. The wider tail holds
// more clumps, and in a queue they are of the same kind.
func (b *batches) logitError(h *Histogram, latency time.Duration, s batch.Spectrum) batch.Skewed {
	t := b.beyond(h, latency)
	p := t.Share()
	if p == 0 || p == 1 {
		return batch.Skewed{}
	}
	f := t.Variation(s)
	if 3*p < .5 {
		wide := b.beyond(h, h.Quantile(1-3*p))
		if w := wide.Share(); w > p {
			f.Variance = max(f.Variance, wide.Variation(s).Variance*p/w)
		}
	}
	err := math.Sqrt(f.Variance) / batch.Sum(t.All) / (p * (1 - p))
	// The logarithm of the odds is less batch.Skewed than the share, by a term from its
	// second derivative. That term may remove a skew to the right and not make one
	// to the left, for which a few events are no evidence.
	return batch.Skewed{Err: err, Skew: max(f.Skew-3*err*(1-2*p), min(f.Skew, 0))}
}

// confidences lists the intervals of the quantiles that are known.
func (b *batches) confidences(responses *Histogram, quantiles []float64) (list []Confidence) {
	for _, q := range quantiles {
		if in, known := b.confidence(responses, q); known {
			list = append(list, in)
		}
	}
	return list
}

// quantilesOfParts are the quantiles for which every result may have an interval.
func quantilesOfParts() []float64 { return []float64{.5, .99, .999} }
