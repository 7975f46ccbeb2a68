package rig

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// mix is an open loop of small calls and large ones on the same connections.
func mix(m *menu) *plan.Benchmark {
	rates := plan.NewList("2000", plan.Positive)
	return &plan.Benchmark{
		Name: "Mix", Reach: plan.Linked, SkipsTooLarge: true, Lists: map[string]string{"rate": "mix-rate"},
		Flags: func(fs *flag.FlagSet) {
			fs.Var(&m.mixes, "mix", "`sizes` and weights of small calls and of large ones of Mix, and of other benchmarks where -bench names mix=")
			fs.Var(&rates, "mix-rate", "`rates` of Mix in calls per second, small and large ones together")
		},
		Cases: func(o *plan.Options, _ plan.Target) (list []plan.Leaf) {
			for _, c := range m.mixed() {
				for _, r := range rates.Values {
					l := c.driven(fmt.Sprintf("rate=%d", r), o.Workers)
					l.schedule, l.Rate = o.Schedule(float64(r)), r
					l.patience = transferTime(manyLarge * l.Largest)
					list = append(list, l)
				}
			}
			return list
		},
	}
}

// manyLarge is how many large calls may be under way before one of them ends.
const manyLarge = 8

// mixture is small calls and large ones.
type mixture struct {
	text         string // of -mix and mix=
	small, large portion
}

// portion is a part of the calls. Its share is the weight over the sum of both weights.
type portion struct {
	size   int // of the payload in bytes
	weight float64
}

var mixtures = regexp.MustCompile(`^(\w+)-(\d+(?:\.\d+)?)_(\w+)-(\d+(?:\.\d+)?)$`)

// mean is the size of a payload as the mean of all calls, in bytes.
func (x mixture) mean() int {
	bytes := float64(x.small.size)*x.small.weight + float64(x.large.size)*x.large.weight
	return int(bytes / (x.small.weight + x.large.weight))
}

func readMixture(text string) (mixture, error) {
	found := mixtures.FindStringSubmatch(text)
	if found == nil {
		return mixture{}, fmt.Errorf("%q must be size and weight of small calls, and of large ones, as in 1KiB-99_1MiB-1", text)
	}
	small, err := readPortion(found[1], found[2])
	if err != nil {
		return mixture{}, err
	}
	large, err := readPortion(found[3], found[4])
	if err == nil && small.size >= large.size {
		err = fmt.Errorf("%q: the small calls come first, and the large ones must be larger", text)
	}
	return mixture{text, small, large}, err
}

func readPortion(size, weight string) (p portion, err error) {
	if p.size, err = plan.ParseSize(size); err != nil {
		return p, err
	}
	if p.weight, err = strconv.ParseFloat(weight, 64); err != nil || p.weight == 0 {
		return p, fmt.Errorf("the weight of %s must be more than 0", size)
	}
	return p, nil
}

// mixed lists the calls of each -mix.
func (m *menu) mixed() (list []called) {
	for _, x := range m.mixes.Values {
		list = append(list, called{
			kind: "mix=" + x.text, Spec: plan.Spec{Size: x.small.size, Largest: x.large.size, Mean: x.mean()}, prepare: x.prepare,
			once: "a mix makes each call once",
		})
	}
	return list
}

// The names of the parts, with which their units begin.
const (
	smallPart = "small"
	largePart = "large"
)

// prepare has every worker make small calls and large ones. Only small ones fill pools.
// All clients and ranks draw from one sequence, since their calls have the run's numbers.
func (x mixture) prepare(_ context.Context, c framework.Client, q requestSpec) (job, error) {
	small, large := newOfSize(c, q, x.small.size), newOfSize(c, q, x.large.size)
	calls := loadgen.Mix{Calls: []loadgen.MixedCall{
		{Name: smallPart, Weight: x.small.weight, Call: afresh(func(worker int) { large.forget(worker); small.begin(worker) }, small.call)},
		{Name: largePart, Weight: x.large.weight, Call: afresh(func(worker int) { small.forget(worker); large.begin(worker) }, large.call)},
	}}
	check := func(worker int) error {
		if large.replies[worker].kept {
			return large.compare(worker)
		}
		return small.compare(worker)
	}
	return job{call: calls.Calls[0].Call, runs: calls.Run, check: check}, nil
}

// ofSize is calls of Echo with payloads of one size.
type ofSize struct {
	replies
	call loadgen.Call
}

func newOfSize(c framework.Client, q requestSpec, size int) ofSize {
	q.size = size
	requests, r := q.replies(c)
	return ofSize{r, c.Echo(requests, r.keep)}
}

// fewestOfPart is the calls of a part that its median takes.
const fewestOfPart = 20

// partMetrics returns the metrics of the parts of a mix. Their percentiles need as many calls as
// those of whole lines; a median needs fewer, since large calls are few.
func partMetrics(r *loadgen.Result, rounds int) (list []loadbench.Metric) {
	for _, p := range r.Parts {
		m := loadbench.Measured{Result: p.Result, Rounds: rounds}
		list = append(list, loadbench.Metric{Value: m.Goodput(), Unit: p.Name + "-calls/s"})
		if p.Result.Response.Count() >= fewestOfPart {
			list = append(list, loadbench.Metric{Value: float64(p.Result.Response.Quantile(.5)), Unit: p.Name + "-p50-ns"})
		}
		for _, one := range m.Metrics(false) {
			if one.Unit == "p99-ns" {
				list = append(list, loadbench.Metric{Value: one.Value, Unit: p.Name + "-p99-ns"})
			}
		}
	}
	return list
}
