package loadgen

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
	"unicode/utf8"
)

// Mix is a run of several kinds of calls, each with its share, like the requests
// of users. Which call an arrival makes depends on the arrival's number and on Seed
// alone, so slow calls of one kind do not change the mix. If several processes make a
// run, see Config.Ranks, they draw one sequence: give each of them the same Mix.
//
// Result.Parts has the counts, the histograms and the ErrorKinds of each call. Series,
// Confidence, Blocked, MaxLag, MaxBacklog and Warnings are those of all calls together: a part
// has none of them.
type Mix struct {
	Calls []MixedCall
	Seed  uint64
}

// Bounds of a Mix, in a run and in a result that is read.
const (
	maxParts = 256 // calls; each takes a megabyte to measure
	maxName  = 256 // bytes
)

// MixedCall is one of the calls of a Mix.
type MixedCall struct {
	// Name tells the call from the others in Result.Parts. Each needs its own, of at
	// most 256 bytes.
	Name string
	// Weight over the sum of all weights is the call's share; more than 0.
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
		case !(c.Weight > 0) || math.IsInf(c.Weight, 0):
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: Weight is %v: it must be more than 0 and finite", i, c.Name, c.Weight)
		case c.Name == "" || names[c.Name]:
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: the calls need names, each its own", i, c.Name)
		}
		names[c.Name] = true
		sum += c.Weight
	}
	if math.IsInf(sum, 0) {
		return errors.New("loadgen: the sum of the weights of a Mix is infinite: divide them all by the largest")
	}
	return nil
}

// mixer chooses the call that each arrival makes, and measures each kind.
type mixer struct {
	seed  uint64
	upTo  []float64 // for each part, the sum of its share and of those before it; the last is 1
	parts []*part
}

func newMixer(m Mix) *mixer {
	x, sum := &mixer{seed: m.Seed}, 0.0
	for _, c := range m.Calls {
		sum += c.Weight
		x.upTo = append(x.upTo, sum)
		x.parts = append(x.parts, &part{name: c.Name, call: c.Call})
	}
	for i := range x.upTo {
		x.upTo[i] /= sum
	}
	return x
}

// partOf returns the part that makes the call with the number: a random one, from
// a generator seeded with the number, so that every worker finds the same without
// asking another. It returns nil if the run is not of a Mix.
func (x *mixer) partOf(number int64) *part {
	if x == nil {
		return nil
	}
	var random rand.PCG
	random.Seed(x.seed, uint64(number))
	share := float64(random.Uint64()>>11) / (1 << 53)
	i, _ := slices.BinarySearch(x.upTo, math.Nextafter(share, 1))
	return x.parts[min(i, len(x.parts)-1)]
}

// part is one call of a mix while it is measured. It counts under a lock, which
// takes far less time than the calls that a mix is made of. Where there is no mix
// the part is nil, and what is rare, fail and drop, then counts nothing.
type part struct {
	name string
	call Call

	mu                     sync.Mutex
	dropped                int64
	response, service, lag Histogram
	failures               failures
}

// record counts a call that has ended.
func (p *part) record(response, service, lag time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.response.Record(response, 1)
	} else {
		p.failures.add(err, response, 0)
	}
	p.service.Record(service, 1)
	p.lag.Record(lag, 1)
}

// fail counts a call that did not end.
func (p *part) fail(err error, response time.Duration) {
	if p != nil {
		p.failures.add(err, response, 0)
	}
}

func (p *part) drop() {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.dropped++
	}
}

// list returns what was measured of each part.
func (x *mixer) list(whole *Result) (parts []Part) {
	if x == nil {
		return nil
	}
	for _, p := range x.parts {
		parts = append(parts, Part{p.name, p.result(whole)})
	}
	return parts
}

func (p *part) result(whole *Result) *Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	res := &Result{Closed: whole.Closed, Elapsed: whole.Elapsed, Dropped: p.dropped, ErrorKinds: p.failures.kinds.list()}
	move(&res.Response, &p.response)
	p.failures.drain(0, &res.Response, &res.Errors, new(blocks))
	if whole.Closed {
		res.Service.Merge(&res.Response)
	} else {
		move(&res.Service, &p.service)
		move(&res.Lag, &p.lag)
	}
	res.count()
	return res
}
