// Package dial is the benchmark Dial: a connection's first second.
package dial

import (
	"flag"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// firstSize is the size in bytes of the payload of Dial's calls.
const firstSize = 1 << 10

// How many samples Dial takes of each line, and of benchmarks that only have to run.
const (
	restarts      = 10
	smokeDials    = 20
	smokeRestarts = 1
)

// firstFlags holds the flags of Dial.
type firstFlags struct {
	settings *rig.Settings
	downs    plan.List[down]
}

// down is how long a server is down before its client can call it; 0 if it is not.
type down struct {
	text string
	time time.Duration
}

const (
	notDown     = "none"
	longestDown = time.Minute
)

func readDown(text string) (down, error) {
	if text == notDown {
		return down{text: text}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond || d > longestDown {
		return down{}, fmt.Errorf("%q must be %s, or a time from 1ms to %v, as in 500ms", text, notDown, longestDown)
	}
	return down{text, d}, nil
}

// Benchmark is a connection's first second: the first call of a client that is new, or whose
// server is.
func Benchmark(s *rig.Settings) *plan.Benchmark {
	f := &firstFlags{s, plan.NewList("none,500ms", readDown)}
	return &plan.Benchmark{Name: "Dial", NoProxy: "a proxy answers connections by itself", NoCores: "it has one client at a time", Flags: f.register, Runs: f.runs, Cases: f.cases}
}

func (f *firstFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.downs, "down", "`times` for which Dial has the server down before a client calls: none for a new client, or as in 500ms")
}

// runs returns an error for flags that the benchmark cannot honour.
func (f *firstFlags) runs(o *plan.Options) error {
	return f.settings.Undisturbed(o, "first calls are those of one caller", "first calls take neither -fault nor profiles: use Conn")
}

// cases leaves out variants that differ from another only in how many connections they
// advise, new clients of a framework that cannot close them, and restarts of servers on
// another machine.
func (f *firstFlags) cases(_ *plan.Options, t plan.Target) (list []plan.Leaf) {
	if t.Variant.Conns > 0 {
		return nil
	}
	for _, d := range f.downs.Values {
		l := call.EchoLeaf(1, firstSize)
		l.Keys, l.Conns, l.NoRetry = "down="+d.text, 1, "first calls are measured"
		switch {
		case d.time == 0 && !t.StaysOpen:
			l.Search = time.Duration(dials(f.settings)) * OpenTime
			list = append(list, freshLeaves(l, t.Variant)...)
		case d.time > 0 && f.settings.Machines.Host == "":
			l.OwnServers, l.Returns = "it restarts the server", true
			l.Search = time.Duration(restartsOf(f.settings)) * (d.time + serverStop)
			list = append(list, restartLeaf{l, d.time})
		}
	}
	return list
}

// freshLeaves are new clients, or with TLS those of each kind of handshake.
func freshLeaves(l call.Leaf, v framework.Variant) []plan.Leaf {
	if !stack.HasTLS(v) {
		return []plan.Leaf{freshLeaf{Leaf: l}}
	}
	full, resumed := l, l
	full.Keys += "/handshake=" + string(fullHandshake)
	resumed.Keys += "/handshake=" + string(resumedHandshake)
	return []plan.Leaf{freshLeaf{full, fullHandshake}, freshLeaf{resumed, resumedHandshake}}
}

// serverStop is about what a restart takes beyond the time for which the server is down.
const serverStop = 300 * time.Millisecond

// dials is how many new clients there are.
func dials(s *rig.Settings) int {
	switch {
	case s.Load.Smoke():
		return smokeDials
	case s.Load.Calls > 0:
		return int(s.Load.Calls)
	}
	return s.P99Calls()
}

// restartsOf is how often the server is restarted.
func restartsOf(s *rig.Settings) int {
	if s.Load.Smoke() {
		return smokeRestarts
	}
	return restarts
}

// OpenTime is about what it takes to open a connection, with its first call.
const OpenTime = 300 * time.Microsecond
