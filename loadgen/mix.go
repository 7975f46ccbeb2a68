package loadgen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Mix is several calls that are made in one run, each with its share of it, as the
// requests of a user are. Which call an arrival makes depends on its number and
// the Seed alone: not on the worker, nor on how long others take.
type Mix struct {
	Calls []MixedCall
	Seed  uint64
}

// MixedCall is one of the calls of a Mix.
type MixedCall struct {
	// Name tells it from the others, in Result.Parts.
	Name string
	// Weight is how often it is made, beside the sum of all weights; more than 0.
	Weight float64
	Call   Call
}

// Part is what was measured of one call of a Mix.
type Part struct {
	Name string `json:"name"`
	// Result has counts, histograms and ErrorKinds. Series, Confidence and Warnings
	// are those of the whole alone.
	Result *Result `json:"result"`
}

// Run is [Run] for the calls of m. The Result is of all of them together, and has
// one of each in Parts.
func (m Mix) Run(ctx context.Context, cfg Config) (*Result, error) {
	if err := m.validate(); err != nil {
		return nil, err
	}
	return execute(ctx, cfg, &run{mixer: newMixer(m)})
}

func (m Mix) validate() error {
	if len(m.Calls) == 0 {
		return errors.New("loadgen: a Mix needs at least one call")
	}
	names := map[string]bool{}
	for i, c := range m.Calls {
		switch {
		case c.Call == nil:
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: the call is nil", i, c.Name)
		case !(c.Weight > 0) || math.IsInf(c.Weight, 0):
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: Weight is %v: it must be more than 0 and finite", i, c.Name, c.Weight)
		case c.Name == "" || names[c.Name]:
			return fmt.Errorf("loadgen: Mix.Calls[%d], %q: the calls need names, each its own", i, c.Name)
		}
		names[c.Name] = true
	}
	return nil
}

// mixer says which call is made, and measures each.
type mixer struct {
	seed  uint64
	upTo  []float64 // of each part, its weight and those before, of 1 in all
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

// partOf returns the part of the call with the number.
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

// part is one call of a mix while it is measured. Calls of a mix take longer than
// its lock does. A part that is nil counts nothing.
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
	if p == nil {
		return
	}
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
	res := &Result{Closed: whole.Closed, Elapsed: whole.Elapsed, Dropped: p.dropped, ErrorKinds: p.failures.list()}
	res.Response.take(&p.response)
	res.Service.take(&p.service)
	if !whole.Closed {
		res.Lag.take(&p.lag)
	}
	p.failures.drain(0, &res.Response, &res.Errors, new(blocks))
	res.count()
	return res
}

// mergeParts adds the parts of other to those of r, by name.
func (r *Result) mergeParts(other *Result) {
	for _, p := range other.Parts {
		i := slices.IndexFunc(r.Parts, func(q Part) bool { return q.Name == p.Name })
		if i < 0 {
			i, r.Parts = len(r.Parts), append(r.Parts, Part{p.Name, &Result{Closed: p.Result.Closed}})
		}
		r.Parts[i].Result.Merge(p.Result) // their loops are those of the whole, which agree
	}
}
