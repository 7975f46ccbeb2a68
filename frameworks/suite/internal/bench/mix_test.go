package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

func TestCasesOfMix(t *testing.T) {
	p := planned(t, []framework.Variant{{Keys: framework.Keys{Framework: "a"}}, {Keys: framework.Keys{Framework: "b"}, Limits: framework.Limits{MaxMessage: 1 << 20}}}, "-bench=Mix", "-mix=1KiB-99_1MiB-1,1KiB-9_2MiB-1", "-mix-rate=5,10")
	assert.Equal(t, []string{
		"mix=1KiB-99_1MiB-1/rate=5", "mix=1KiB-99_1MiB-1/rate=10", "mix=1KiB-9_2MiB-1/rate=5", "mix=1KiB-9_2MiB-1/rate=10",
		"mix=1KiB-99_1MiB-1/rate=5", "mix=1KiB-99_1MiB-1/rate=10",
	}, keys(p))
	assert.Contains(t, p.Absent()[0], "mix=1KiB-9_2MiB-1: a payload of 2097152 bytes is over the largest of framework=b")
	for _, c := range p.Selected() {
		assert.Contains(t, []int{11_499, 210_636}, c.Mean)
		assert.Equal(t, plan.Spec{Keys: c.Spec.Keys, Workers: 1000, Size: 1 << 10, Largest: c.Largest, Cost: plan.Cost{Mean: c.Mean, Rate: c.Spec.Rate}}, call.LeafOf(c).Spec)
	}
}
