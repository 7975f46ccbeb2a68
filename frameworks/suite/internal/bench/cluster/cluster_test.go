package cluster

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// planned plans the cases of a variant with two policies and of one without any.
func planned(args ...string) (*plan.Plan, error) {
	return plannedWith([]workload.Workload{{Name: "nop"}, {Name: "sleep", Scales: true}}, args...)
}

func plannedWith(workloads []workload.Workload, args ...string) (*plan.Plan, error) {
	balanced := framework.Variant{Keys: framework.Keys{Framework: "a"}, Policies: []framework.Policy{{Name: "roundrobin"}, {Name: "p2c"}}}
	table := rig.Table{Frameworks: []framework.Variant{balanced, {Keys: framework.Keys{Framework: "b"}}}, Workloads: workloads}
	f := rig.NewFlags(table, func(s *rig.Settings) []*plan.Benchmark {
		return []*plan.Benchmark{Benchmark(s, call.NewMenu(s.Servers.Work))}
	})
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	f.Register(fs)
	f.Options.Pattern = "Cluster"
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return f.Plan()
}

func TestCases(t *testing.T) {
	for _, c := range []struct {
		about string
		args  []string
		want  []string // framework and keys
	}{
		{"by default it is a closed loop", nil, []string{"a servers=2/conc=100", "b servers=2/conc=100"}},
		{
			"each framework has its own policies, or none",
			[]string{"-policy=all", "-conc=1"},
			[]string{"a servers=2/conc=1/policy=roundrobin", "a servers=2/conc=1/policy=p2c", "b servers=2/conc=1/policy=none"},
		},
		{"a framework without a policy has no line", []string{"-policy=p2c"}, []string{"a servers=2/conc=100/policy=p2c"}},
		{"a rate makes it an open loop", []string{"-cluster-rate=100", "-framework=a"}, []string{"a servers=2/workload=sleep/rate=100"}},
		{
			"so does a slow server",
			[]string{"-slow=2:2.5x,1:back:5s", "-framework=a", "-policy=p2c", "-servers=4"},
			[]string{"a servers=4/workload=sleep/rate=2000/slow=2:2.5x/policy=p2c", "a servers=4/workload=sleep/rate=2000/slow=1:back:5s/policy=p2c"},
		},
	} {
		p, err := planned(c.args...)
		require.NoError(t, err, c.about)
		var keys []string
		for _, one := range p.Selected() {
			keys = append(keys, one.Framework+" "+one.Rest)
			assert.Equal(t, strings.Contains(one.Rest, ":back"), one.Returns, "its address is kept for it: %s", one.Rest)
		}
		assert.Equal(t, c.want, keys, c.about)
	}
	p, err := planned("-policy=p2c")
	require.NoError(t, err)
	assert.Equal(t, []string{"BenchmarkCluster: servers=2: b has no policy=p2c: there is none"}, p.Absent())
}

// TestWithoutTheWorkload: servers that fail need none.
func TestWithoutTheWorkload(t *testing.T) {
	p, err := plannedWith(nil, "-slow=1:dead", "-framework=a")
	require.NoError(t, err)
	assert.Equal(t, []string{"BenchmarkCluster/framework=a/transport=/codec=/servers=2/size=64B/rate=2000/slow=1:dead"}, p.Names())
	_, err = plannedWith(nil, "-slow=2:3x")
	assert.EqualError(t, err, "-slow=2:3x: a slow server takes longer for workload=sleep, which this binary lacks: it has servers that fail, as in -slow=1:dead")
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct{ about, arg, want string }{
		{"a server that does not exist", "-slow=3:10x", "-slow=3:10x: there is no server 3: with -servers=2 there are servers 1 to 2"},
		{"servers are numbered from 1", "-slow=0:10x", `-slow: "0:10x" must be the number of a server, from 1, and what is wrong with it, as in 1:10x or 1:dead`},
		{"a factor below 1", "-slow=1:0.1x", `-slow: "1:0.1x": a slow server takes from 1x to 1000x as long, as in 1:10x`},
		{"a factor that is no number", "-slow=1:tenx", `-slow: "1:tenx": a slow server takes from 1x to 1000x as long, as in 1:10x`},
		{"what nothing is called", "-slow=1:gone", `-slow: "1:gone": "gone" must be 10x, frozen, dead, restarting, or back:5s with a time up to 1m0s`},
		{"a time that is too long", "-slow=1:back:2h", `-slow: "1:back:2h": "back:2h" must be 10x, frozen, dead, restarting, or back:5s with a time up to 1m0s`},
		{"a policy that nobody has", "-policy=roundrobbin", `-policy: unknown "roundrobbin"; did you mean roundrobin?`},
		{"a policy that is like none", "-policy=sticky", `-policy: unknown "sticky": there are roundrobin, random, weighted, leastload, p2c, consistenthash, none, all`},
		{"no rate", "-cluster-rate=0", `-cluster-rate: "0" must be a whole number more than 0`},
	} {
		_, err := planned(c.arg)
		assert.EqualError(t, err, c.want, c.about)
	}
	for _, args := range [][]string{{"-slow=1:dead", "-clients=2"}, {"-slow=1:dead", "-fault=kill"}} {
		_, err := planned(args...)
		assert.ErrorContains(t, err, "-slow", "%v", args)
	}
}

func TestWeights(t *testing.T) {
	for _, c := range []struct {
		about string
		slow  plan.Slow
		want  []int
	}{
		{"no server is slow", plan.Slow{Times: 1}, nil},
		{"ten times as long, a tenth of the calls", plan.Slow{Server: 1, Times: 10}, []int{1, 10, 10, 10}},
		{"half as long again", plan.Slow{Server: 4, Times: 1.5}, []int{3, 3, 3, 2}},
	} {
		assert.Equal(t, c.want, weights(c.slow, 4), c.about)
	}
}
