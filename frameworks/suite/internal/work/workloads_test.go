package work

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestNamesOfWorkloads(t *testing.T) {
	for _, bad := range []string{"", "a/b", "a=b", "a,b", "a b", "steady"} {
		w := New([]framework.Workload{{Name: "steady"}, {Name: bad}})
		assert.ErrorContains(t, w.Check(), "Config.Workloads: the name", "%q", bad)
	}
}
