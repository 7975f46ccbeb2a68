package figure

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/stretchr/testify/assert"
)

func TestTheSummaryIsOneReason(t *testing.T) {
	d := Doubts{Rows: 4, Of: 9, Reasons: []Doubt{{"a", []string{"x", "y"}}, {"b", []string{"x"}}, {"c", []string{"x"}}, {"d", []string{"x"}}, {"e", []string{"x"}}}}
	assert.Equal(t, "2 of 9 rows: a; 4 more", d.Summary())
	assert.Empty(t, Doubts{}.Summary())
}

// TestWhatWasNotMeasuredHasADash, and what no row has no column.
func TestWhatWasNotMeasuredHasADash(t *testing.T) {
	l, m := line("Echo/framework=a/conc=1", map[string]float64{"calls/s": 0, "conns": 3}), calls("Echo/framework=b/conc=1", 50)
	r := report(l, m)
	assert.Equal(t, []string{"framework calls/s p50 conns", "b 50 20 –", "a 0 – 3"}, texts(r.Rankings[0]), "by calls/s then")
	assert.Equal(t, "1 round: nothing tells how far another would differ", r.Rankings[0].About)
}

func TestFramesOfRanks(t *testing.T) {
	l := calls("Echo/framework=a/codec=pb", 1)
	l.Config = map[string]string{"rank": "a/pb=beside"}
	assert.Equal(t, []string{rank.Ranked}, report(l).Ranks, "a framework of which nothing but what stands beside is there")
}
