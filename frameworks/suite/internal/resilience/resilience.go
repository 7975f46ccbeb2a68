// Package resilience tests that servers and clients survive what breaks them: servers that die
// in the middle of a run, garbage, proxies that break connections, and servers of another
// protocol. What fails must be counted, and nothing may hang, panic or take all memory.
package resilience

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// Config says what is tested.
type Config struct {
	Rig     *rig.Rig
	Targets []plan.Target
	// All has Storms make each fault in both directions, and more connections and calls.
	All bool
}
