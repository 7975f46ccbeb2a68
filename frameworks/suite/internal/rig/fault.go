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
	faultFlip    = "flip"
	faultNoise   = "noise"
)

// Faults returns the values of -fault.
func Faults() []string {
	return []string{faultKill, faultFreeze, faultGarbage, faultFlip, faultNoise}
}

// changes returns how the proxy of a fault changes the answers to requests; nil if the
// fault needs no proxy.
func changes(fault string, q requestSpec) (func([]byte) int, error) {
	switch fault {
	case faultGarbage:
		return garble, nil
	case faultFlip:
		f, err := newFlipper(q)
		return f.flip, err
	case faultNoise:
		return noise, nil
	}
	return nil, nil
}

// faultAfter is the number of successful calls of a round after which the fault
// happens.
const faultAfter = 1000

// breakDuring calls fault during the run of cfg. wait returns its error when it has
// returned.
func breakDuring(cfg *loadgen.Config, fault func() error) (wait func() error) {
	var breaking sync.WaitGroup
	var failed error
	var calls atomic.Int64
	cfg.Check = func(int) error {
		if calls.Add(1) == faultAfter {
			breaking.Go(func() { failed = fault() })
		}
		return nil
	}
	return func() error {
		breaking.Wait()
		return failed
	}
}

// breakServer breaks a server in the way that -fault names. c is the proxy between
// server and load, if the fault needs one. The error says that it did not break.
func breakServer(fault string, s *Server, c *corrupter) error {
	switch fault {
	case faultKill:
		s.kill()
	case faultFreeze:
		return s.Pause()
	default:
		c.broken.Store(true)
	}
	return nil
}
