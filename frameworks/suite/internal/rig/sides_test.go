package rig

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
)

// Sides are apart if they are pinned or on two machines.
func TestSides(t *testing.T) {
	t.Setenv("GOMAXPROCS", "") // that of the client is what the runtime chose at its start
	client := runtime.GOMAXPROCS(0)
	graded := placement{procs: 4, Pinning: cpus.Pinning{
		Server: cpus.Set{0, 1, 2}, Client: cpus.Set{2, 3}, Grades: []cpus.Grade{{Cores: 1, CPUs: cpus.Set{0}}, {Cores: 3, CPUs: cpus.Set{0, 1, 2}, Shared: true}},
	}}
	for about, c := range map[string]struct {
		is   *Settings
		of   plan.Cores
		want probe.Sides
	}{
		"as they come":      {&Settings{Placement: placement{procs: 3, Available: cpus.Set{0, 1}}}, plan.Cores{}, probe.Sides{CPUs: cpus.Set{0, 1}, ServerProcs: 3}},
		"pinned":            {&Settings{Placement: placement{procs: 3, Pinning: cpus.Pinning{Server: cpus.Set{1, 2}, Client: cpus.Set{3}}}}, plan.Cores{}, probe.Sides{CPUs: cpus.Set{1, 2, 3}, ServerProcs: 2, Apart: true}},
		"by cores":          {&Settings{Placement: graded}, plan.Cores{Number: 1}, probe.Sides{CPUs: cpus.Set{0, 2, 3}, ServerProcs: 1, Apart: true}},
		"sharing them":      {&Settings{Placement: graded}, plan.Cores{Number: 3, Shared: true}, probe.Sides{CPUs: cpus.Set{0, 1, 2, 3}, ServerProcs: 3}},
		"on a machine each": {&Settings{Placement: placement{procs: 3, Available: cpus.Set{0, 1}}, Machines: machines{Host: "a:7000", far: []*remote.Machine{new(remote.Machine)}}}, plan.Cores{}, probe.Sides{CPUs: cpus.Set{0, 1}, Apart: true, Remote: true}},
	} {
		c.want.ClientProcs = client
		assert.Equal(t, c.want, (&Rig{Settings: c.is}).sides(c.of), about)
	}
}
