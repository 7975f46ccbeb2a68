package figure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// TestPhasesOfARateThatMoves are the points of one line, in their order, and no other variants.
func TestPhasesOfARateThatMoves(t *testing.T) {
	var all []lines.Line
	for _, name := range []string{"a", "b"} {
		for _, phase := range []string{"all", "1of2", "2of2"} {
			more := []any{"offered/s", 500.}
			if phase == "2of2" {
				more = append(more, "settle-ns", 4e9)
			}
			all = append(all, values("Rate/framework="+name+"/size=1KiB/rate=500,1000@10s/phase="+phase, "calls/s", 500, more...))
		}
	}
	r := report(all...)
	s := section(t, r, "phase")
	assert.Len(t, s.Panels, 1)
	assert.Contains(t, shown(r), "phase-settle: time to settle, ns: [Rate, 1KiB, 500,1000@10s calls/s offered] a(2)=4e+09 4e+09-4e+09 b(2)=4e+09 4e+09-4e+09")
	for _, other := range r.Sections {
		assert.NotEqual(t, "rate", other.ID)
	}
	table := r.Tables[0]
	assert.Contains(t, table.Head, "settle ms")
	assert.Equal(t, []string{"a", "all"}, table.Rows[0][:2])
	assert.Len(t, table.Rows, 6)
}
