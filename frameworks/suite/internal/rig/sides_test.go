package rig

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
)

// Sides are apart if they are pinned or on two machines.
func TestSides(t *testing.T) {
	t.Setenv("GOMAXPROCS", "") // that of the client is what the runtime chose at its start
	client := runtime.GOMAXPROCS(0)
	for about, c := range map[string]struct {
		is   *Settings
		want sides
	}{
		"as they come":      {&Settings{Placement: placement{procs: 3, Available: host.CPUSet{0, 1}}}, sides{cpus: host.CPUSet{0, 1}, serverProcs: 3}},
		"pinned":            {&Settings{Placement: placement{procs: 3, Pinning: host.Pinning{Server: host.CPUSet{1, 2}, Client: host.CPUSet{3}}}}, sides{cpus: host.CPUSet{1, 2, 3}, serverProcs: 2, apart: true}},
		"on a machine each": {&Settings{Placement: placement{procs: 3, Available: host.CPUSet{0, 1}}, Machines: machines{Far: new(remote.Machine)}}, sides{cpus: host.CPUSet{0, 1}, apart: true, remote: true}},
	} {
		c.want.clientProcs = client
		assert.Equal(t, c.want, (&Rig{Settings: c.is}).sides(), about)
	}
}
