package record

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func aRecord(cell string, seed int64, run int) Record {
	return Record{
		Cell: cell, Kind: planted.Frozen, Protocol: tool.HTTP, Tool: "hey", Mode: "8 workers",
		Rate: 500, Run: run, Seed: seed, Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Outcome: Outcome{Said: tool.Said{P99: 3, Dropped: -1}, Asked: 5000, Made: 4500, Truth: planted.Percentiles{P99: 190}},
	}
}

func TestRecords(t *testing.T) {
	dir := t.TempDir()
	one, two, other := aRecord("frozen/http/hey/8 workers", 1, 1), aRecord("frozen/http/hey/8 workers", 1, 2), aRecord("frozen/http/hey/8 workers", 2, 1)
	two.Error = "hey: exit status 1"
	for _, r := range []Record{one, two, other} {
		require.NoError(t, r.Write(dir))
	}
	require.NoError(t, one.Write(dir), "again")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o644))

	assert.FileExists(t, filepath.Join(dir, "frozen-http-hey-8-workers-s1-r2.json"))
	all, err := ReadAll(dir, 1)
	assert.NoError(t, err)
	assert.Equal(t, []Record{one, two}, all, "another seed is another table")
	assert.True(t, Done(dir, one.Cell, 1, 1))
	assert.False(t, Done(dir, one.Cell, 1, 2), "it failed")
	assert.False(t, Done(dir, one.Cell, 1, 3), "it is not there")
}

func TestBadRecords(t *testing.T) {
	all, err := ReadAll(filepath.Join(t.TempDir(), "nowhere"), 1)
	assert.NoError(t, err)
	assert.Empty(t, all)
	assert.Error(t, aRecord("a", 1, 1).Write(filepath.Join(t.TempDir(), "nowhere")))

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(Path(dir, "a", 1, 1), []byte("{"), 0o644))
	_, err = ReadAll(dir, 1)
	assert.EqualError(t, err, Path(dir, "a", 1, 1)+" is no record, remove it: unexpected end of JSON input")
	assert.False(t, Done(dir, "a", 1, 1))
	require.NoError(t, os.WriteFile(Path(dir, "a", 1, 1), []byte(`{"format":2}`), 0o644))
	_, err = ReadAll(dir, 1)
	assert.EqualError(t, err, Path(dir, "a", 1, 1)+" is of format 2, and this program reads format 1: remove it, and it is measured again")
}

func TestLost(t *testing.T) {
	for _, c := range []struct {
		about string
		o     Outcome
		want  int64
	}{
		{"all were made", Outcome{Asked: 100, Made: 100, Said: tool.Said{OK: 100}}, 0},
		{"a warm-up is more than was asked for", Outcome{Asked: 100, Made: 108, Said: tool.Said{OK: 100}}, 0},
		{"some are lost", Outcome{Asked: 100, Made: 90, Said: tool.Said{OK: 90}}, 10},
		{"the tool says that it dropped some", Outcome{Asked: 100, Made: 90, Said: tool.Said{OK: 90, Dropped: 8}}, 2},
		{"it does not say", Outcome{Asked: 100, Made: 90, Said: tool.Said{OK: 90, Failed: -1, Dropped: -1}}, 10},
		{"those that did not reach the server failed", Outcome{Asked: 100, Made: 90, Said: tool.Said{OK: 90, Failed: 10}}, 0},
		{"it counts as right what it never made", Outcome{Asked: 100, Made: 90, Said: tool.Said{OK: 100}}, 10},
		{"failures that the server knows are not on the way", Outcome{Asked: 100, Made: 90, Failed: 10, Said: tool.Said{OK: 90, Failed: 10}}, 10},
	} {
		assert.Equal(t, c.want, c.o.Lost(), c.about)
	}
}
