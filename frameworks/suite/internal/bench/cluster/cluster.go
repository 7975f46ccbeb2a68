// Package cluster is the benchmark Cluster: one client of several servers, in a closed loop,
// or in an open one of which a server may be slow or fail.
package cluster

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
)

// flags holds the flags of Cluster.
type flags struct {
	settings *rig.Settings
	menu     *call.Menu
	counts   plan.List[int]
	rates    plan.List[int]    // of the open loop; empty for a closed one
	slows    plan.List[slow]   // empty: all servers are equal
	policies plan.List[string] // empty: the default one of each framework
}

// slowRate is the rate of lines with a slow server without -cluster-rate.
const slowRate = "2000"

// slept is what the servers of an open loop do.
const slept = "sleep"

// Benchmark is one client of several servers.
func Benchmark(s *rig.Settings, m *call.Menu) *plan.Benchmark {
	f := &flags{
		settings: s, menu: m, counts: plan.NewList("2", value.Positive), rates: plan.NewList("", value.Positive),
		slows: plan.NewList("", readSlow), policies: plan.NewList("", readPolicy),
	}
	return &plan.Benchmark{
		Name: "Cluster", OwnServers: "it starts several servers", NoCores: "its servers run on the same cores", Lists: map[string]string{"rate": "cluster-rate"},
		Flags: f.register, Check: f.check, Runs: f.runs, Cases: f.cases,
	}
}

func (f *flags) register(fs *flag.FlagSet) {
	fs.Var(&f.counts, "servers", "`numbers` of servers of Cluster")
	fs.Var(&f.rates, "cluster-rate", "`rates` of Cluster in calls per second, of an open loop, with workload=sleep where the binary has it; empty for a closed loop of Echo, or with -slow for "+slowRate)
	fs.Var(&f.slows, "slow", "`server` of Cluster, from 1, and what is wrong with it: "+slowHelp+"; as in 1:10x,1:back:5s; empty for none")
	fs.Var(&f.policies, "policy", "`policies` of load balancing of Cluster: "+policyHelp()+"; empty for the default one of each framework")
}

// check returns an error for a slow server that does not exist, or that cannot be slow.
func (f *flags) check([]plan.Target) error {
	for _, s := range f.slows.Values {
		for _, n := range f.counts.Values {
			if s.server > n {
				return fmt.Errorf("-slow=%s: there is no server %d: with -servers=%d there are servers 1 to %d", s.text, s.server, n, n)
			}
		}
	}
	at := slices.IndexFunc(f.slows.Values, func(s slow) bool { return s.times != 1 })
	if at >= 0 && !f.sleeps() {
		return fmt.Errorf("-slow=%s: a slow server takes longer for workload=%s, which this binary lacks: it has servers that fail, as in -slow=1:%s", f.slows.Values[at].text, slept, dead)
	}
	return nil
}

// sleeps reports whether the servers can have the workload.
func (f *flags) sleeps() bool { return slices.Contains(f.menu.Workloads.Names(), slept) }

// called is what an open loop calls: a handler that sleeps, or Echo where there is none.
func (f *flags) called(o *plan.Options, t plan.Target) []call.Called {
	if f.sleeps() {
		return call.WorkOf(o, t, slept)
	}
	return []call.Called{call.EchoOf(t, o.Sizes.Values[0])}
}

// runs returns an error for options that the cases cannot honour.
func (f *flags) runs(o *plan.Options) error {
	if !f.open() {
		return o.OnlyEqualSizes()
	}
	if f.settings.Machines.Host != "" && len(f.slows.Values) > 0 {
		return errors.New("-slow: with -host there are no servers on this machine that could be slowed down or ended: leave one out")
	}
	if slices.ContainsFunc(f.slows.Values, slow.fails) {
		return f.settings.Undisturbed(o, "calls are noted by the one client that makes them: leave it, or servers that fail, out of -slow",
			"-slow makes a server fail: leave out -fault and profiles")
	}
	return nil
}

// open reports whether the loop is an open one.
func (f *flags) open() bool { return len(f.rates.Values)+len(f.slows.Values) > 0 }

func (f *flags) cases(o *plan.Options, t plan.Target) (list []plan.Leaf) {
	for _, servers := range f.counts.Values {
		if f.open() {
			list = append(list, f.openLoops(o, t, servers)...)
			continue
		}
		for _, conc := range o.Concs.Values {
			for _, policy := range f.policiesOf(t.Variant) {
				l := call.EchoLeaf(conc, o.EqualSizes()[0])
				l.Keys, l.Servers = fmt.Sprintf("servers=%d/conc=%d", servers, conc), servers
				policy.apply(&l.Spec)
				list = append(list, l)
			}
		}
	}
	return list
}

// openLoops lists the open loops with a number of servers.
func (f *flags) openLoops(o *plan.Options, t plan.Target, servers int) (list []plan.Leaf) {
	for _, c := range f.called(o, t) {
		for _, rate := range f.ratesOrDefault() {
			for _, s := range f.slowsOrNone() {
				for _, policy := range f.policiesOf(t.Variant) {
					list = append(list, openLoop(o, t, c, servers, rate, s, policy))
				}
			}
		}
	}
	return list
}

// openLoop is one of openLoops. Its client has one connection to each server, unless it has a
// pool: a balancer counts the calls in flight of one client, and -conns would make several.
func openLoop(o *plan.Options, t plan.Target, c call.Called, servers, rate int, s slow, p policy) plan.Leaf {
	l := c.Driven("", o.Workers)
	l.Keys = fmt.Sprintf("servers=%d/%s/rate=%d", servers, cmp.Or(c.Kind, c.Size), rate)
	l.Schedule, l.Rate, l.Servers, l.Conns = o.Schedule(float64(rate)), rate, servers, max(t.Conns, 1)
	l.Slow, l.Returns = plan.Slow{Server: s.server, Times: s.times}, s.returns()
	if s.server > 0 {
		l.Optional += "/slow=" + s.text
	}
	p.apply(&l.Spec)
	if p.name == "weighted" {
		l.Weights = weights(l.Slow, servers)
	}
	return openLeaf{l, s}
}

func (f *flags) ratesOrDefault() []int {
	if len(f.rates.Values) == 0 {
		l := plan.NewList(slowRate, value.Positive)
		return l.Values
	}
	return f.rates.Values
}

func (f *flags) slowsOrNone() []slow {
	if len(f.slows.Values) == 0 {
		return []slow{{times: 1}}
	}
	return f.slows.Values
}
