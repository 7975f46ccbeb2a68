package loadgen

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
)

// Mix is a run of several kinds of calls, each with its share, like the requests
// of users. Which call an arrival makes depends on the arrival's number and on Seed
// alone, so slow calls of one kind do not change the mix. If several processes make a
// run, see Config.Ranks, they draw one sequence: give each of them the same Mix.
//
// Result.Parts has the counts, the histograms, the ErrorKinds, Series, Confidence and MaxAt of
// each call. Blocked, MaxLag, MaxBacklog and Warnings are of all calls together: a part has
// none of them. Config.Until judges all calls together. A Point of Series has some 160 bytes in
// JSON, so a run of a hundred calls for an hour needs a longer Config.Interval, or its record gets
// larger than package record reads.
type Mix struct {
	Calls []MixedCall
	Seed  uint64
	// Pick, if set, chooses instead of the weights, which are not needed then: it returns
	// the index in Calls of the call with a number, that of its Arrival. It is for calls
	// whose kinds a file or a trace gives. Many goroutines ask it at once, and for a number
	// it always returns the same. It is asked before the call is sent, so a slow Pick makes
	// calls late. If it panics, or returns what is no index of Calls, the run ends with
	// a *PanicError, and the arrival counts as dropped.
	Pick func(number int64) int
}

// Bounds of a Mix, in a run and in a result that is read.
const (
	maxParts = 256 // calls; each takes 1.2 to 1.5 MB to measure
	maxName  = 256 // bytes
)

// MixedCall is one of the calls of a Mix.
type MixedCall struct {
	// Name tells the call from the others in Result.Parts. Each needs its own, of at
	// most 256 bytes.
	Name string
	// Weight over the sum of all weights is the call's share; more than 0. With Mix.Pick
	// it has no effect.
	Weight float64
	// Call makes the call.
	Call Call
}

func (m Mix) validate() error {
	if len(m.Calls) == 0 {
		return errors.New("loadgen: a Mix needs at least one call")
	}
	if len(m.Calls) > maxParts {
		return fmt.Errorf("loadgen: a Mix of %d calls: at most %d can be measured each by itself", len(m.Calls), maxParts)
	}
	names, sum := map[string]bool{}, 0.0
	for i, c := range m.Calls {
		switch {
		case len(c.Name) > maxName:
			return fmt.Errorf("loadgen: Mix.Calls[%d]: a name of %d bytes is too long: at most %d stand in reports and records", i, len(c.Name), maxName)
		case !utf8.ValidString(c.Name):
			return fmt.Errorf("loadgen: Mix.Calls[%d]: the name %q is not UTF-8, which records are in", i, c.Name)
		case c.Call == nil:
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: the call is nil", i, c.Name)
		case m.Pick == nil && (!(c.Weight > 0) || math.IsInf(c.Weight, 0)):
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: Weight is %v: it must be more than 0 and finite", i, c.Name, c.Weight)
		case c.Name == "" || names[c.Name]:
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: the calls need names, each its own", i, c.Name)
		}
		names[c.Name] = true
		sum += c.Weight
	}
	if m.Pick == nil && math.IsInf(sum, 0) {
		return errors.New("loadgen: the sum of the weights of a Mix is infinite: divide them all by the largest")
	}
	return nil
}

// mixer chooses the call that each arrival makes, and measures each kind.
type mixer struct {
	course *course
	pick   func(number int64) int // nil if the shares choose
	seed   uint64
	upTo   []float64 // for each part, the sum of its share and of those before it; the last is 1
	parts  []*part
}

func newMixer(c *course, m Mix) *mixer {
	x, sum := &mixer{course: c, pick: m.Pick, seed: m.Seed}, 0.0
	for _, c := range m.Calls {
		sum += c.Weight
		x.upTo = append(x.upTo, sum)
		x.parts = append(x.parts, &part{name: c.Name, call: c.Call, shard: bank.NewLeanShard()})
	}
	for i := range x.upTo {
		x.upTo[i] /= sum
	}
	return x
}

// partOf returns the part that makes the call with the number: a random one, from
// a generator seeded with the number, so that every worker finds the same without
// asking another. It returns nil if the run is not of a Mix, or Mix.Pick has ended it.
func (x *mixer) partOf(number int64) (picked *part) {
	switch {
	case x == nil:
		return nil
	case x.pick != nil:
		x.course.hook("Pick", func() { picked = x.parts[x.pick(number)] })
		return picked
	}
	var random rand.PCG
	random.Seed(x.seed, uint64(number))
	share := float64(random.Uint64()>>11) / (1 << 53)
	i, _ := slices.BinarySearch(x.upTo, math.Nextafter(share, 1))
	return x.parts[min(i, len(x.parts)-1)]
}

// part is one call of a mix while it is measured. Where there is no mix the part is nil, and
// drop then counts nothing.
type part struct {
	name     string
	call     Call
	shard    *bank.LeanShard
	failures failure.Calls
	dropped  atomic.Int64
	tally
}

// record counts a call that ended in a step.
func (p *part) record(step int, response time.Duration, err error) {
	if err == nil {
		p.shard.Response[step%bank.Steps].Record(bucket.Of(response))
	} else {
		p.failures.Add(err, response, step)
	}
}

// recordTimes counts what a closed loop does not: there the service is the response, and
// nothing waits to be sent.
func (p *part) recordTimes(service, lag time.Duration) {
	p.shard.Service.Record(bucket.Of(service))
	p.shard.Lag.Record(bucket.Of(lag))
}

func (p *part) drop() {
	if p != nil {
		p.dropped.Add(1)
	}
}

// list returns the parts; none if the run is not of a Mix.
func (x *mixer) list() []*part {
	if x == nil {
		return nil
	}
	return x.parts
}

// result returns what was measured of a part.
func (p *part) result(whole *Result, warmup time.Duration) *Result {
	res := p.tally.result(&Result{
		Closed: whole.Closed, Elapsed: whole.Elapsed, Dropped: p.dropped.Load(), ErrorKinds: listOf(p.failures.Kinds),
	}, warmup)
	res.Confidence = p.batches.confidences(&res.Response, quantilesOfParts())
	return res
}
