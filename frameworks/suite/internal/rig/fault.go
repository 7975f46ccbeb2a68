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

// faultAfter is the number of successful calls of a round after which the fault
// happens.
const faultAfter = 1000

// breakDuring calls fault during the run of cfg. wait returns when fault has returned.
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

// breakServer breaks a server in the way that -fault names. For faultGarbage, c is the
// proxy between server and load.
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
