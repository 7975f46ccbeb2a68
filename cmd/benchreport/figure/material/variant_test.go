package material

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

func TestCPUOfOneSideAloneHasNoSum(t *testing.T) {
	of := func(values map[string]float64) []float64 {
		return (&Variant{Lines: []lines.Line{{Values: values}}}).CPU()
	}
	assert.Nil(t, of(map[string]float64{"client-cpu-ns/op": 5}))
	assert.Equal(t, []float64{12}, of(map[string]float64{"client-cpu-ns/op": 5, "server-cpu-ns/op": 7}))
}
