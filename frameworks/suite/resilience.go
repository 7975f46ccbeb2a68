package suite

import (
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/resilience"
)

// Faults breaks the server of each framework in the middle of a run, in each way of
// the flag -fault. The run must end by itself and exit with 1. It must print a line of
// each recommended variant, with the calls that succeeded before the fault in calls/s
// and the others in errors. The package needs BenchmarkEcho:
//
//	func TestFaults(t *testing.T) { suite.Faults(t) }
//
// Like Conformance it leaves out Config.References. With -short it is skipped.
func Faults(t *testing.T) { survivors(t).Faults(sanitized{t}) }

// FaultsOf is Faults for the variant with this ID, which is not recommended but has a
// transport of its own.
func FaultsOf(t *testing.T, id string) { survivors(t).FaultsOf(sanitized{t}, variant(t, id)) }

// variant returns the target with this ID. It skips the test of one that the flags leave out.
func variant(t *testing.T, id string) plan.Target {
	c := survivors(t)
	i := slices.IndexFunc(c.Targets, func(v plan.Target) bool { return v.ID() == id })
	switch {
	case i >= 0:
		return c.Targets[i]
	case current.flags.Has(id):
		t.Skip("the flags leave out " + id)
	}
	t.Fatal("no variant " + id)
	return plan.Target{}
}

// Storms sends garbage to the server of each recommended variant while a client calls
// it, and puts a proxy with faults between the server and a benchmark. Nothing may hang
// or panic, no side may need more than 256 MiB, or 4 GiB for a variant with Announced, the
// calls of the client must succeed, and those of the benchmark that do not must be counted.
// The package needs BenchmarkEcho:
//
//	func TestStorms(t *testing.T) { suite.Storms(t) }
//
// With the flag -storms it makes all faults, in requests and in replies, and 10,000
// connections to a server; else two of the faults and 300 connections. A variant with
// Announced gets 300 in any case. It is skipped with -short, and under the race
// detector, which takes memory of its own.
func Storms(t *testing.T) {
	storms(t, func(v plan.Target) bool { return v.Recommended || v.StandIn })
}

// StormsOf is Storms for the variant with this ID, which is not recommended but has
// reading code of its own.
func StormsOf(t *testing.T, id string) {
	variant(t, id)
	storms(t, func(v plan.Target) bool { return v.ID() == id })
}

func storms(t *testing.T, kind func(plan.Target) bool) {
	c := survivors(t)
	if race.Enabled {
		t.Skip("the race detector takes memory of its own")
	}
	c.Storms(sanitized{t}, kind)
}

// survivors are the variants that Faults and Storms test. With -short it skips the test.
func survivors(t *testing.T) resilience.Config {
	if current == nil {
		t.Fatal(hint)
	}
	if testing.Short() {
		t.Skip("it takes ten seconds a framework")
	}
	return resilience.Config{Rig: current.rig, Targets: current.proven(), All: current.storms}
}

// Strangers sees that an address where the server is broken, or not one of the variant's
// protocol, is refused in time as -server does it: with a sentence that has the address and
// the reason, and without a connection left open, unless the variant has StaysOpen.
// frames are answers that a hostile server of the protocol could begin with, such as the
// head of a frame of 2 GB.
func Strangers(t *testing.T, v framework.Variant, frames ...[]byte) {
	resilience.Strangers(sanitized{t}, v, frames)
}
