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
//	func BenchmarkWorkload(b *testing.B) { suite.Workloads(b) }
package suite

import (
	"fmt"
	"testing"

	"github.com/rpcbench/rpcbench/loadgen"
)

// suite is one benchmark over all variants.
type suite struct {
	name   string
	leaves func(f *flags) []leaf
	only   func(v Variant) bool // nil: all variants
}

// leaf is one case of a suite, for each variant.
type leaf struct {
	keys     string // after the variant's, as in "size=1KiB/conc=100"
	workers  int
	size     int // of the echo payload in bytes
	prepare  func(c Client) loadgen.Call
	schedule loadgen.Schedule
	// stalls makes the server stand still during the run, which is then bounded
	// by a time, that of b.N calls at stallRate, and not by b.N.
	stalls bool
	// workload is what the server is started with; "" for none.
	workload string
}

// suites are all there are; Main lists their cases.
var suites = []*suite{echo, message, rate, stall, workload}

// Echo measures a closed loop of callers that send a payload and get it back,
// for each -size and -conc:
//
//	BenchmarkEcho/framework=/transport=/codec=/size=/conc=
func Echo(b *testing.B) { echo.run(b) }

var echo = &suite{name: "Echo", leaves: func(f *flags) (list []leaf) {
	for _, size := range f.sizes {
		for _, conc := range f.concs {
			list = append(list, leaf{
				keys: fmt.Sprintf("size=%s/conc=%d", formatSize(size), conc), workers: conc, size: size, schedule: loadgen.ClosedLoop,
				prepare: func(c Client) loadgen.Call { return prepareEcho(c, conc, size) },
			})
		}
	}
	return list
}}

// Message measures a closed loop of callers that send the bench message, 581
// bytes in protobuf, of which the server sets two fields, for each -conc:
//
//	BenchmarkMessage/framework=/transport=/codec=/conc=
//
// A Reference and a Raw variant echo as many bytes.
func Message(b *testing.B) { message.run(b) }

var message = &suite{name: "Message", leaves: func(f *flags) (list []leaf) {
	for _, conc := range f.concs {
		list = append(list, leaf{
			keys: fmt.Sprintf("conc=%d", conc), workers: conc, size: MessageSize, schedule: loadgen.ClosedLoop,
			prepare: func(c Client) loadgen.Call { return prepareMessage(c, conc) },
		})
	}
	return list
}}

// Rate measures an open loop: calls of Echo that are due at a -rate whether or
// not earlier ones have returned, and what they wait, from when they were due.
// At most -workers of them are in flight:
//
//	BenchmarkRate/framework=/transport=/codec=/size=/rate=
func Rate(b *testing.B) { rate.run(b) }

var rate = &suite{name: "Rate", leaves: func(f *flags) (list []leaf) {
	for _, size := range f.sizes {
		for _, r := range f.rates {
			list = append(list, leaf{
				keys: fmt.Sprintf("size=%s/rate=%d", formatSize(size), r), workers: f.workers, size: size, schedule: f.arrivals(float64(r)),
				prepare: func(c Client) loadgen.Call { return prepareEcho(c, f.workers, size) },
			})
		}
	}
	return list
}}

// Stall shows what a closed and an open loop see of a server that stands still
// for 16 % of the time: of b.N calls at 2000/s by 10 workers, so that with
// -benchtime=10000x it stops for 0.8 of 5 s. What the slowest 1 % of users wait
// is then 750 ms at least, since 1 % of 5 s is 50 ms:
//
//	BenchmarkStall/framework=/transport=/codec=/loop=
func Stall(b *testing.B) { stall.run(b) }

const (
	stallRate    = 2000
	stallWorkers = 10
	stallSize    = 1 << 10
	stallAt      = .4  // of the run
	stallFor     = .16 // of the run
)

var stall = &suite{name: "Stall", leaves: func(*flags) []leaf {
	one := func(loop string, schedule loadgen.Schedule) leaf {
		return leaf{
			keys: "loop=" + loop, workers: stallWorkers, size: stallSize, schedule: schedule, stalls: true,
			prepare: func(c Client) loadgen.Call { return prepareEcho(c, stallWorkers, stallSize) },
		}
	}
	return []leaf{one("closed", loadgen.ClosedLoop), one("open", loadgen.Constant(stallRate))}
}}

func prepareEcho(c Client, workers, size int) loadgen.Call {
	requests := echoRequests(workers, size, 1)
	return c.Echo(requests, checkEnds(requests))
}

func prepareMessage(c Client, workers int) loadgen.Call {
	if mc, ok := c.(MessageClient); ok {
		return mc.Message(workers, CheckAnswer)
	}
	return prepareEcho(c, workers, MessageSize)
}

// benchmark is the name of the suite's function in a package of benchmarks.
func (s *suite) benchmark() string { return "Benchmark" + s.name }

func (s *suite) run(b *testing.B) {
	if !env.ready {
		b.Fatal(hint)
	}
	for _, group := range s.groups(&env.flags) {
		b.Run(group[0].v.base(), func(b *testing.B) {
			beds := map[string]*bed{}
			for _, c := range group {
				id := c.v.ID()
				if beds[id] == nil {
					beds[id] = &bed{v: c.v}
					b.Cleanup(beds[id].close)
				}
				b.Run(c.keys(), func(b *testing.B) { beds[id].measure(b, c.leaf) })
			}
		})
	}
}

// benchCase is a leaf of one variant: a line of the output.
type benchCase struct {
	v Variant
	leaf
}

// keys are those after the variant's own three.
func (c benchCase) keys() string { return c.leaf.keys + c.v.options() }

// groups are the cases of a suite in their order, those together that begin
// with the same keys: package testing would tell apart two of one name by a
// number.
func (s *suite) groups(f *flags) (list [][]benchCase) {
	at := map[string]int{}
	for _, v := range f.variants {
		if s.only != nil && !s.only(v) {
			continue
		}
		for _, l := range s.leaves(f) {
			i, known := at[v.base()]
			if !known {
				i, at[v.base()] = len(list), len(list)
				list = append(list, nil)
			}
			list[i] = append(list[i], benchCase{v, l})
		}
	}
	return list
}
