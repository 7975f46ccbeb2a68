// Package fault breaks a server during a round, as -fault says: it ends, it stands still, or
// its answers come changed.
package fault

import (
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
)

// The values of -fault.
const (
	Kill    = "kill"
	Freeze  = "freeze"
	Garbage = "garbage"
	Flip    = "flip"
	Noise   = "noise"
)

// All returns the values of -fault.
func All() []string {
	return []string{Kill, Freeze, Garbage, Flip, Noise}
}

// Changes returns how the proxy of a fault changes the answers to requests; nil if the
// fault needs no proxy.
func Changes(fault string, q call.Requests) (func([]byte) int, error) {
	switch fault {
	case Garbage:
		return garble, nil
	case Flip:
		f, err := newFlipper(q)
		return f.flip, err
	case Noise:
		return noise, nil
	}
	return nil, nil
}

// After is the number of successful calls of a round after which the fault
// happens.
const After = 1000

// During calls fault during the run of cfg. wait returns its error when it has
// returned.
func During(cfg *loadgen.Config, fault func() error) (wait func() error) {
	var breaking sync.WaitGroup
	var failed error
	var calls atomic.Int64
	cfg.Check = func(int) error {
		if calls.Add(1) == After {
			breaking.Go(func() { failed = fault() })
		}
		return nil
	}
	return func() error {
		breaking.Wait()
		return failed
	}
}

// Break breaks a server in the way that -fault names. c is the proxy between
// server and load, if the fault needs one. The error says that it did not break.
func Break(fault string, s *server.Server, c *Corrupter) error {
	switch fault {
	case Kill:
		s.Kill()
	case Freeze:
		return s.Pause()
	default:
		c.broken.Store(true)
	}
	return nil
}
