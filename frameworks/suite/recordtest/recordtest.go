// Package recordtest reads and checks the records that -results keeps, for tests that run a
// table of variants, on one machine or on several.
package recordtest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// In reads the records of a directory by the name of their lines.
func In(t testing.TB, dir string) map[string][]*record.Record {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	records := map[string][]*record.Record{}
	for _, f := range files {
		r, err := record.Read(f)
		require.NoError(t, err)
		records[r.Benchmark] = append(records[r.Benchmark], r)
	}
	return records
}

// OfRanks reads the records of each rank in a directory of -results.
func OfRanks(t testing.TB, dir string) map[string][]*record.Record {
	t.Helper()
	return In(t, filepath.Join(dir, "ranks"))
}

// RequireSums returns the records of a directory by the name of their lines. Each must be the
// sum of its ranks' records, bucket by bucket.
func RequireSums(t testing.TB, dir string, ranks int) map[string]*record.Record {
	t.Helper()
	sums, parts := map[string]*record.Record{}, OfRanks(t, dir)
	for name, list := range In(t, dir) {
		require.Len(t, list, 1)
		requireSum(t, list[0], parts[name], ranks)
		sums[name] = list[0]
	}
	require.Len(t, parts, len(sums))
	return sums
}

func requireSum(t testing.TB, sum *record.Record, parts []*record.Record, ranks int) {
	t.Helper()
	require.Len(t, parts, ranks, sum.Benchmark)
	whole, seen := new(loadgen.Result), map[int]bool{}
	for _, p := range parts {
		seen[p.Rank] = true
		require.NoError(t, whole.Merge(p.Result))
		assert.Equal(t, sum.RunName, p.RunName)
	}
	assert.Len(t, seen, ranks, "each has one")
	merged := sum.Result
	assert.Equal(t, &whole.Response, &merged.Response, sum.Benchmark)
	assert.Equal(t, &whole.Service, &merged.Service, sum.Benchmark)
	assert.Equal(t, &whole.Lag, &merged.Lag, sum.Benchmark)
	assert.Equal(t, []int64{whole.Due, whole.Sent, whole.OK, whole.Failed}, []int64{merged.Due, merged.Sent, merged.OK, merged.Failed}, sum.Benchmark)
}
