package rig

import (
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/loadgen"
)

// The values of -fault.
const (
	faultKill    = "kill"
	faultFreeze  = "freeze"
	faultGarbage = "garbage"
)

func faults() []string { return []string{faultKill, faultFreeze, faultGarbage} }

// faultAfter is how many calls of a round succeed before the fault happens.
const faultAfter = 1000

// breakDuring has a server broken during the run of cfg. wait returns when that
// is done.
func breakDuring(cfg *loadgen.Config, fault func()) (wait func()) {
	var breaking sync.WaitGroup
	var calls atomic.Int64
	cfg.Check = func(int) error {
		if calls.Add(1) == faultAfter {
			breaking.Go(fault)
		}
		return nil
	}
	return breaking.Wait
}

// breakServer breaks a server by a value of -fault; c is between it and the load
// for faultGarbage.
func breakServer(fault string, s *Server, c *corrupter) {
	switch fault {
	case faultKill:
		s.kill()
	case faultFreeze:
		s.Pause()
	case faultGarbage:
		c.broken.Store(true)
	}
}
