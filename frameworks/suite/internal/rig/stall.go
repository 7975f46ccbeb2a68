package rig

import (
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
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
func stall(m *menu) *plan.Benchmark {
	return &plan.Benchmark{Name: "Stall", Unreached: "it compares two loops, and a network adds the same to both", OwnServers: "it stops the server for a while", Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		one := *o
		one.Sizes = plan.NewList(plan.FormatSize(stallSize), plan.ReadSize)
		for _, c := range m.calls(&one, t, "Stall") {
			c.size = "" // there is one
			for _, loop := range []string{"closed", "open"} {
				l := stallLeaf{c.driven("loop="+loop, stallWorkers)}
				if l.schedule, l.Rate = loadgen.Constant(stallRate), stallRate; loop == "closed" {
					l.schedule = loadgen.ClosedLoop
				}
				if loop == "open" || c.Streams == 0 { // whose closed loop is Stream
					list = append(list, l)
				}
			}
		}
		return list
	}}
}

type stallLeaf struct{ leaf }

// unlimited is more calls than any loop makes.
const unlimited = 1 << 40

// measure runs for the time that b.N calls take at stallRate. A closed loop calls as
// often as it can in that time: if b.N calls ended it, it would be over before the
// server stands still.
func (l stallLeaf) measure(r *round) error {
	if err := r.ready(); err != nil {
		return err
	}
	r.probe.callers = 0 // a server that stands still is not saturated
	cfg := r.config()
	cfg.Duration = max(time.Duration(r.n)*time.Second/stallRate, minStallRun)
	var used heap
	if l.schedule == loadgen.ClosedLoop {
		r.n = unlimited
		used.during(&cfg)
	}
	var stood error
	wait := during(&cfg, func() { stood = standStill(r.servers[0], cfg.Duration) })
	m, err := r.run(cfg)
	wait()
	if stood != nil {
		return r.giveUp(fmt.Errorf("the server did not stand still as it should: %w", errors.Join(stood, err)))
	}
	m.more = append(m.more, used.metrics(m)...)
	return r.report(m, err)
}

// standStill pauses a server for a part of a run. It is also resumed if it could not
// be paused, since it may stop later.
func standStill(s *Server, run time.Duration) error {
	part := func(share float64) time.Duration { return time.Duration(share * float64(run)) }
	time.Sleep(part(stallAt))
	err := s.Pause()
	if err == nil {
		time.Sleep(part(stallFor))
	}
	return errors.Join(err, s.Resume())
}
