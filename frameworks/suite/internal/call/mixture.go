package call

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// ManyLarge is how many large calls may be under way before one of them ends.
const ManyLarge = 8

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

// The names of the parts, with which their units begin.
const (
	smallPart = "small"
	largePart = "large"
)

// prepare has every worker make small calls and large ones. Only small ones fill pools.
// All clients and ranks draw from one sequence, since their calls have the run's numbers.
func (x mixture) prepare(_ context.Context, c framework.Client, q Requests) (Job, error) {
	small, large := newOfSize(c, q, x.small.size), newOfSize(c, q, x.large.size)
	calls := loadgen.Mix{Calls: []loadgen.MixedCall{
		{Name: smallPart, Weight: x.small.weight, Call: afresh(func(worker int) { large.forget(worker); small.Begin(worker) }, small.call)},
		{Name: largePart, Weight: x.large.weight, Call: afresh(func(worker int) { small.forget(worker); large.Begin(worker) }, large.call)},
	}}
	check := func(worker int) error {
		if large.Replies[worker].kept {
			return large.Compare(worker)
		}
		return small.Compare(worker)
	}
	return Job{Call: calls.Calls[0].Call, Runs: calls.Run, Check: check}, nil
}

// ofSize is calls of Echo with payloads of one size.
type ofSize struct {
	Replies
	call loadgen.Call
}

func newOfSize(c framework.Client, q Requests, size int) ofSize {
	q.Size = size
	requests, r := q.Replies()
	return ofSize{r, c.Echo(requests, r.Keep)}
}
