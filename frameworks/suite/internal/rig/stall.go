package rig

import (
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
func stall() *plan.Benchmark {
	return &plan.Benchmark{Name: "Stall", OwnServers: "it stops the server for a while", Cases: func(*plan.Options, plan.Target) []plan.Leaf {
		closed := echoLeaf(stallWorkers, stallSize)
		closed.Keys, closed.Rate = "loop=closed", stallRate
		open := closed
		open.Keys, open.schedule = "loop=open", loadgen.Constant(stallRate)
		return []plan.Leaf{stallLeaf{closed}, stallLeaf{open}}
	}}
}

type stallLeaf struct{ leaf }

// measure runs for the time that b.N calls take at stallRate. A closed loop makes
// fewer calls in that time, because its callers wait.
func (l stallLeaf) measure(r *round) error {
	if err := r.ready(); err != nil {
		return err
	}
	cfg := r.config()
	cfg.Duration = max(time.Duration(r.n)*time.Second/stallRate, minStallRun)
	wait := during(&cfg, func() { standStill(r.servers[0], cfg.Duration) })
	m, err := r.run(cfg)
	wait()
	return r.report(m, err)
}

// standStill pauses a server for a part of a run.
func standStill(s *Server, run time.Duration) {
	part := func(share float64) time.Duration { return time.Duration(share * float64(run)) }
	time.Sleep(part(stallAt))
	if s.Pause() == nil {
		time.Sleep(part(stallFor))
		s.Resume()
	}
}
