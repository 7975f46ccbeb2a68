package bench

import (
	"errors"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// TestWhatIsCalled: a driver makes calls of Echo, and others where -bench names their keys.
func TestWhatIsCalled(t *testing.T) {
	for _, c := range []struct {
		about, pattern string
		kind           framework.Kind
		want           []string
	}{
		{"Echo alone", "Rate", framework.Fields, []string{"size=1KiB/rate=5"}},
		{"the bench message", "Rate/./././msg=bench", framework.Fields, []string{"size=1KiB/rate=5", "msg=bench/rate=5"}},
		{"work of the handler", "Rate/./././workload=", framework.Fields, []string{"size=1KiB/rate=5", "workload=idle/rate=5", "workload=busy/rate=5"}},
		{"two keys at once", "Rate/./././(workload|msg)=", framework.Fields, []string{"size=1KiB/rate=5", "msg=bench/rate=5", "workload=idle/rate=5", "workload=busy/rate=5"}},
		{"a codec whose name begins like a key", "Rate/./codec=msgpack", framework.Fields, []string{"size=1KiB/rate=5"}},
		{"work needs an action", "Rate/./././workload=", framework.Bytes, []string{"size=1KiB/rate=5"}},
		{"a key that another benchmark is asked for", "Rate|Stall/./././msg=", framework.Fields, []string{"size=1KiB/rate=5"}},
	} {
		var list []*plan.Benchmark
		f := rig.NewFlags(rig.Table{Workloads: []workload.Workload{{Name: "idle"}, {Name: "busy"}}}, func(s *rig.Settings) []*plan.Benchmark {
			list = All(s)
			return list
		})
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		f.Register(fs)
		require.NoError(t, errors.Join(fs.Set("size", "1KiB"), fs.Set("rate", "5")))
		f.Options.Pattern = c.pattern
		var got []string
		for _, b := range list {
			if b.Name == "Rate" {
				for _, l := range b.Cases(f.Options, plan.Target{Variant: framework.Variant{Abilities: framework.Abilities{Kind: c.kind}}}) {
					got = append(got, l.Common().Keys)
				}
			}
		}
		assert.Equal(t, c.want, got, c.about)
	}
}
