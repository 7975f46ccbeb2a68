package bench

import (
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
)

const (
	stallRate    = 2000
	stallWorkers = 10
	stallSize    = 1 << 10
	stallAt      = .4  // start of the stall, as a share of the run
	stallFor     = .16 // its length, as a share of the run
	minStallRun  = 100 * time.Millisecond
)

// stall is a closed and an open loop against a server that stands still for part of
// the run.
func stall(m *call.Menu) *plan.Benchmark {
	return &plan.Benchmark{Name: "Stall", NoNetwork: "it compares two loops, and a network adds the same to both", NoCores: "it compares two loops of one server", OwnServers: "it stops the server for a while", Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		one := *o
		one.Sizes = plan.NewList(plan.FormatSize(stallSize), plan.ReadSize)
		for _, c := range m.Calls(&one, t, "Stall") {
			c.Size = "" // there is one
			for _, loop := range []string{"closed", "open"} {
				l := stallLeaf{c.Driven("loop="+loop, stallWorkers)}
				if l.Schedule, l.Rate = loadgen.Constant(stallRate), stallRate; loop == "closed" {
					l.Schedule = loadgen.ClosedLoop
				}
				if loop == "open" || c.Streams == 0 { // whose closed loop is Stream
					list = append(list, l)
				}
			}
		}
		return list
	}}
}

type stallLeaf struct{ call.Leaf }

// unlimited is more calls than any loop makes.
const unlimited = 1 << 40

var _ rig.Measurer = stallLeaf{}

// Measure runs for the time that b.N calls take at stallRate. A closed loop calls as
// often as it can in that time: if b.N calls ended it, it would be over before the
// server stands still.
func (l stallLeaf) Measure(r *rig.Round) error {
	if err := r.Ready(); err != nil {
		return err
	}
	r.Probe.Callers = 0 // a server that stands still is not saturated
	cfg := r.Config()
	cfg.Duration = max(time.Duration(r.N)*time.Second/stallRate, minStallRun)
	var used probe.Heap
	if l.Schedule == loadgen.ClosedLoop {
		r.N = unlimited
		used.During(&cfg)
	}
	var stood error
	wait := rig.During(&cfg, func() { stood = standStill(r.Running[0], cfg.Duration) })
	m, err := r.Run(cfg)
	wait()
	if stood != nil {
		return r.GiveUp(fmt.Errorf("the server did not stand still as it should: %w", errors.Join(stood, err)))
	}
	m.More = append(m.More, used.Metrics(m)...)
	return r.Report(m, err)
}

// standStill pauses a server for a part of a run. It is also resumed if it could not
// be paused, since it may stop later.
func standStill(s *server.Server, run time.Duration) error {
	part := func(share float64) time.Duration { return time.Duration(share * float64(run)) }
	time.Sleep(part(stallAt))
	err := s.Pause()
	if err == nil {
		time.Sleep(part(stallFor))
	}
	return errors.Join(err, s.Resume())
}
