package rig

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
)

// Sides are apart if they are pinned or on two machines.
func TestSides(t *testing.T) {
	t.Setenv("GOMAXPROCS", "") // that of the client is what the runtime chose at its start
	client := runtime.GOMAXPROCS(0)
	for about, c := range map[string]struct {
		is   *Settings
		want probe.Sides
	}{
		"as they come":      {&Settings{Placement: placement{procs: 3, Available: cpus.Set{0, 1}}}, probe.Sides{CPUs: cpus.Set{0, 1}, ServerProcs: 3}},
		"pinned":            {&Settings{Placement: placement{procs: 3, Pinning: cpus.Pinning{Server: cpus.Set{1, 2}, Client: cpus.Set{3}}}}, probe.Sides{CPUs: cpus.Set{1, 2, 3}, ServerProcs: 2, Apart: true}},
		"on a machine each": {&Settings{Placement: placement{procs: 3, Available: cpus.Set{0, 1}}, Machines: machines{far: new(remote.Machine)}}, probe.Sides{CPUs: cpus.Set{0, 1}, Apart: true, Remote: true}},
	} {
		c.want.ClientProcs = client
		assert.Equal(t, c.want, (&Rig{Settings: c.is}).sides(), about)
	}
}
