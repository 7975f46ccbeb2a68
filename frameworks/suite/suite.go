// Package suite measures RPC frameworks: the interfaces that a framework's
// adapter implements, the conformance test that every variant must pass, and
// benchmarks over any list of variants, with each server in a process of its
// own. It imports no framework, so that those who import it keep their own
// versions.
//
// A package of benchmarks is a table of variants and this:
//
//	func TestMain(m *testing.M)          { suite.Main(m, suite.Config{Frameworks: table}) }
//	func TestConformance(t *testing.T)   { suite.Conformance(t) }
//	func BenchmarkEcho(b *testing.B)     { suite.Echo(b) }
//	func BenchmarkMessage(b *testing.B)  { suite.Message(b) }
//	func BenchmarkRate(b *testing.B)     { suite.Rate(b) }
//	func BenchmarkCapacity(b *testing.B) { suite.Capacity(b) }
//	func BenchmarkLoad(b *testing.B)     { suite.Load(b) }
//	func BenchmarkConn(b *testing.B)     { suite.Conn(b) }
package suite

import (
	"context"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// suite is one benchmark over all variants.
type suite struct {
	name string
	// base is what a case's name has of its variant before the leaf's keys; nil
	// for Variant.Keys. Of two cases of one name the first is measured.
	base   func(v target) string
	leaves func(f *flags, v target) []leaf
	// needs says what it does to servers that only this process can start; ""
	// for nothing.
	needs string

	linked, proxied bool // it is run over -net links, and proxies
	windowed        bool // it is run over variants with a Window
	namesNet        bool // net= is one of its keys; in other suites it is optional
}

// leaf is one case of a suite, for one variant.
type leaf struct {
	keys     string // after the variant's, as in "size=1KiB/conc=100"
	workers  int
	size     int // of the echo payload in bytes
	largest  int // message in bytes; 0: size
	conns    int // of a shared transport; 0: as many as -conns says
	servers  int // 0: one
	schedule loadgen.Schedule
	mode     string // mode=, an optional key; "" for none
	chunk    string // chunk=, an optional key; "" for none
	peaks    bool   // report the most memory that both sides had resident
	// patience is what the watchdog waits beyond -watchdog.
	patience time.Duration
	// way and compared are keys of a transfer: what shares tells apart, and what it
	// compares; "" for none.
	way, compared string
	// unfit says why there is no such row; nil where there is.
	unfit error
	// prepare makes what the workers do. What it opens beside the client, as
	// streams, ends with ctx.
	prepare func(ctx context.Context, c framework.Client, l leaf) (job, error)
	// stalls makes the server stand still during the run, which is then bounded
	// by a time, that of b.N calls at stallRate, and not by b.N.
	stalls bool
	// slo is the objective of a search for capacity, and percent the share of it
	// to be offered; 0 for the search alone.
	slo     *slo
	percent int
	offered float64 // by that, in calls/s
	// workload is what the server is started with; "" for none.
	workload string
}

// job is what the workers of a case do: one of call and async, and a check of
// what a worker's last call left, made when its end has been stamped.
type job struct {
	call  loadgen.Call
	async loadgen.AsyncCall
	check func(worker int) error
}

// benchCase is a leaf of one variant: a line of the output.
type benchCase struct {
	suite *suite
	v     target
	net   network
	leaf
}

// name is that of the benchmark line, without the number of procs.
func (c benchCase) name() string { return c.suite.benchmark() + "/" + c.base() + "/" + c.keys() }

func (c benchCase) base() string {
	if c.suite.base != nil {
		return c.suite.base(c.v)
	}
	return c.v.Keys()
}

// keys are those after the base.
func (c benchCase) keys() string {
	keys := c.leaf.keys
	if c.suite.namesNet {
		keys += "/net=" + c.net.name
	}
	keys += c.v.OptionalKeys()
	if c.chunk != "" {
		keys += "/chunk=" + c.chunk
	}
	if c.mode != "" {
		keys += "/mode=" + c.mode
	}
	if !c.suite.namesNet && !c.net.direct() {
		keys += "/net=" + c.net.name
	}
	if env.peer != "" {
		keys += "/peer=" + env.peer
	}
	return keys
}

// benchmark is the name of the suite's function in a package of benchmarks.
func (s *suite) benchmark() string { return "Benchmark" + s.name }

func (s *suite) run(b *testing.B) {
	if !env.ready {
		b.Fatal(hint)
	}
	for _, group := range s.groups(&env.flags) {
		b.Run(group[0].base(), func(b *testing.B) {
			t := new(bed)
			b.Cleanup(t.close)
			for _, c := range group {
				b.Run(c.keys(), func(b *testing.B) { t.measure(b, c) })
			}
		})
	}
}

// groups are the cases of a suite in their order, those together that begin
// with the same keys: package testing would tell apart two of one name by a
// number.
func (s *suite) groups(f *flags) (list [][]benchCase) {
	at, known := map[string]int{}, map[string]bool{}
	for _, c := range s.cases(f) {
		if c.unfit != nil || known[c.name()] {
			continue
		}
		known[c.name()] = true
		i, open := at[c.base()]
		if !open {
			i, at[c.base()] = len(list), len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], c)
	}
	return list
}

// cases are those of all variants, of which some may have the same name.
func (s *suite) cases(f *flags) (list []benchCase) {
	for _, v := range f.variants {
		if v.Window != "" && !s.windowed || v.StandIn && v.given == "" {
			continue
		}
		for _, n := range s.over(f) {
			for _, l := range s.leaves(f, v) {
				if c := (benchCase{s, v, n, l}); f.lacks[c.kind()] == "" {
					list = append(list, c)
				}
			}
		}
	}
	return list
}
