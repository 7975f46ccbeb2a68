package bench

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fault"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig/rigtest"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

func TestAFaultThatDidNotHappenHasNoLine(t *testing.T) {
	leaf := call.EchoLeaf(2, 16)
	c := plan.Case{Benchmark: echo(), Spec: leaf.Common(), Leaf: leaf}
	c.Servers = 1
	for _, row := range []struct {
		about string
		pause error
	}{
		{"the server stands still, and the line shows that", nil},
		{"it could not be stopped: the line would show a server without a fault", errors.New("no signal")},
	} {
		bed, b := rigtest.BedOf(rigtest.Stubborn{PauseErr: row.pause, Resumed: new(bool)}, c), rigtest.Bench{Values: loadbench.Values{}}
		bed.Rig.Fault = fault.Freeze
		err := bed.Measure(b, 2*fault.After, c)
		if row.pause == nil {
			assert.NoError(t, err, row.about)
			assert.Contains(t, b.Values, "calls/s", row.about)
			continue
		}
		assert.ErrorContains(t, err, "-fault=freeze: no signal", row.about)
		assert.Empty(t, b.Values, row.about)
	}
}
