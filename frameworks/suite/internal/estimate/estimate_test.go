package estimate

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// fruit are two variants, of which one is recommended.
func fruit() []framework.Variant {
	return []framework.Variant{
		{Keys: framework.Keys{Framework: "apple", Transport: "tcp", Codec: "gob"}, Recommended: true},
		{Keys: framework.Keys{Framework: "berry", Transport: "tcp", Codec: "gob"}},
	}
}

// rings are two benchmarks of one case a size.
func rings() []*plan.Benchmark {
	sized := func(o *plan.Options, _ plan.Target) (list []plan.Leaf) {
		for _, size := range o.EqualSizes() {
			list = append(list, plan.Spec{Keys: "size=" + plan.FormatSize(size), Workers: 10, Size: size, Workload: "work"})
		}
		return list
	}
	return []*plan.Benchmark{{Name: "Ring", Cases: sized}, {Name: "Bulk", Cases: sized}}
}

// selected are the cases of rings that a pattern selects, with what was set.
func selected(t *testing.T, all []*plan.Benchmark, pattern string, set ...func(*plan.Options)) []plan.Case {
	t.Helper()
	o := plan.NewOptions()
	o.Pattern = pattern
	o.Sizes.Set("1B")
	for _, s := range set {
		s(o)
	}
	p, err := plan.New(o, fruit(), all)
	require.NoError(t, err)
	return p.Selected()
}

func sizes(text string) func(*plan.Options)    { return func(o *plan.Options) { o.Sizes.Set(text) } }
func networks(text string) func(*plan.Options) { return func(o *plan.Options) { o.Networks.Set(text) } }
func servers(text string) func(*plan.Options)  { return func(o *plan.Options) { o.Servers.Set(text) } }

// searched has the cases of a benchmark search for the capacity first.
func searched(once bool) func(*plan.Benchmark) {
	return func(b *plan.Benchmark) {
		cases := b.Cases
		b.Cases = func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
			for _, l := range cases(o, t) {
				s := l.Common()
				s.Search, s.SharesSearch = time.Minute, once
				list = append(list, s)
				if once {
					s.Keys += "/load=10"
					list = append(list, s)
				}
			}
			return list
		}
	}
}

func TestEstimate(t *testing.T) {
	second := Pace{Each: time.Second, Times: 1}
	const server, load, rounds = serverStart, loadStart, 1500 * time.Millisecond
	for _, c := range []struct {
		about, pattern string
		change         func(*plan.Benchmark)
		pace           Pace
		set            []func(*plan.Options)
		cases          int
		takes          time.Duration
	}{
		{"a case has a server, a load and rounds", "Ring/framework=apple", nil, second, nil, 1, server + load + rounds},
		{"sizes share the server of a variant", "Ring/framework=apple", nil, second, []func(*plan.Options){sizes("1B,2B")}, 2, server + 2*(load+rounds)},
		{"variants do not", "Ring", nil, second, nil, 2, 2 * (server + load + rounds)},
		{"networks do not either", "Ring/framework=apple", nil, second, []func(*plan.Options){networks("none,delay-1ms")}, 2, 2 * (server + load + rounds)},
		{"a server that runs already is not started", "Ring", nil, second, []func(*plan.Options){servers("framework=apple/transport=tcp/codec=gob@127.0.0.1:1")}, 1, load + rounds},
		{"repeats keep the server", "Ring/framework=apple", nil, Pace{Each: time.Second, Times: 3}, nil, 1, server + 3*(load+rounds)},
		{"calls take the time of a call each", "Ring/framework=apple", nil, Pace{Calls: 1000, Times: 1}, nil, 1, server + load + 1000*(callTime+byteTime)},
		{"a search stands for the rounds, each time", "Ring/framework=apple", searched(false), Pace{Each: time.Second, Times: 2}, nil, 1, 2 * (load + time.Minute)},
		{"a search that cases share comes once a size, with rounds of its own", "Ring/framework=apple", searched(true), second, []func(*plan.Options){sizes("1B,2B")}, 4, server + 2*(2*(load+rounds)+time.Minute)},
		{"nothing is selected", "NoSuch", nil, second, nil, 0, 0},
		{"without a repeat nothing is measured", "Ring", nil, Pace{Each: time.Second}, nil, 2, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			all := rings()
			if c.change != nil {
				c.change(all[0])
			}
			cases := selected(t, all, c.pattern, c.set...)
			assert.Len(t, cases, c.cases)
			if c.change == nil || c.pace.Times == 1 {
				assert.InDelta(t, c.takes, Of(cases, c.pace), float64(10*time.Millisecond))
			} else {
				assert.InDelta(t, c.takes, Of(cases, c.pace), float64(time.Second), "with the server")
			}
		})
	}
}

func TestEstimateHasACallAtLeast(t *testing.T) {
	c := plan.Case{Spec: plan.Spec{Workers: 1, Size: 1 << 30}}
	assert.Greater(t, measures(c, Pace{Each: time.Second, Times: 1}), 4*time.Second)
	assert.Equal(t, loadStart+500*time.Millisecond, measures(plan.Case{Spec: plan.Spec{Workers: 10, Cost: plan.Cost{Rate: 2000}}}, Pace{Calls: 1000}), "at a rate")
}

func TestCheck(t *testing.T) {
	atRate := func(rate int) func(*plan.Benchmark) {
		return func(b *plan.Benchmark) {
			b.Cases = func(*plan.Options, plan.Target) []plan.Leaf {
				return []plan.Leaf{plan.Spec{Keys: "rate=" + fmt.Sprint(rate), Workers: 100, Size: 1 << 20, Cost: plan.Cost{Rate: rate}}}
			}
		}
	}
	for _, c := range []struct {
		about, network string
		change         func(*plan.Benchmark)
		pace           Pace
		say            string
	}{
		{"what has no network may take long", "none", nil, Pace{Each: time.Hour, Times: 1}, ""},
		{"repeats are cases of their own", "delay-50ms", nil, Pace{Each: time.Minute, Times: 20}, ""},
		{"a time", "delay-50ms", nil, Pace{Each: 8 * time.Minute, Times: 1}, "BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/net=delay-50ms: over net=delay-50ms it takes about 12m0s, and"},
		{"calls", "delay-500ms", nil, Pace{Calls: 10_000, Times: 1}, "it takes about 17m0s, and"},
		{"payloads", "rate-1mbit", atRate(1), Pace{Each: time.Second, Times: 1}, "it takes about 30m0s, and"},
		{"calls that are due", "rate-1gbit", atRate(1), Pace{Calls: 1000, Times: 1}, "it takes about 17m0s, and"},
		{"those that come too late are not waited for", "rate-100mbit", atRate(1000), Pace{Calls: 10_000, Times: 1}, ""},
		{"a search", "rate-10mbit", searched(false), Pace{Each: time.Second, Times: 1}, ""},
	} {
		all := rings()
		if c.change != nil {
			c.change(all[0])
		}
		if err := Check(selected(t, all, "Ring/framework=apple", networks(c.network)), c.pace); c.say == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.ErrorContains(t, err, c.say, c.about)
		}
	}
}
