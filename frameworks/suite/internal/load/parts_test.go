package load

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

func TestMetricsOfParts(t *testing.T) {
	part := func(calls int64) *loadgen.Result {
		r := &loadgen.Result{Elapsed: 2 * time.Second, OK: calls, Sent: calls}
		for i := range calls {
			r.Response.Record(time.Duration(i+1)*time.Microsecond, 1)
		}
		return r
	}
	for _, c := range []struct {
		about        string
		small, large int64
		rounds       int
		want         []string
	}{
		{"few calls", 19, 1, 1, []string{"small-calls/s", "large-calls/s"}},
		{"enough for medians", 9999, 20, 1, []string{"small-calls/s", "small-p50-ns", "large-calls/s", "large-p50-ns"}},
		{"enough for a p99", 10_000, 20, 1, []string{"small-calls/s", "small-p50-ns", "small-p99-ns", "large-calls/s", "large-p50-ns"}},
		{"enough in all rounds", 2000, 1000, 10, []string{"small-calls/s", "small-p50-ns", "small-p99-ns", "large-calls/s", "large-p50-ns", "large-p99-ns"}},
	} {
		list := PartMetrics(&loadgen.Result{Parts: []loadgen.Part{{Name: "small", Result: part(c.small)}, {Name: "large", Result: part(c.large)}}}, c.rounds)
		var units []string
		got := map[string]float64{}
		for _, m := range list {
			units = append(units, m.Unit)
			got[m.Unit] = m.Value
			assert.Contains(t, loadbench.UnitLines(), "Unit "+m.Unit+" ")
		}
		assert.Equal(t, c.want, units, c.about)
		assert.Equal(t, float64(c.small)/2, got["small-calls/s"], c.about)
	}
	assert.Empty(t, PartMetrics(new(loadgen.Result), 1), "no mix")
}
