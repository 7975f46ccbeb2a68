package anatomy

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goodRecord = `{"run":"r","name":"BenchmarkEcho/framework=a","start":"2026-01-02T03:04:05Z","config":{"sample":"4ms"},` +
	`"metrics":{"client-cpu-ns/op":36000,"server-cpu-ns/op":36000,"client-monitor-ns/op":9000},"result":{"sent":1000}}`

// keep writes a record and what is beside it, by the ends of the names.
func keep(t *testing.T, dir, record string, beside map[string][]byte) {
	t.Helper()
	name := filepath.Join(dir, fmt.Sprintf("Echo,%d", len(beside)))
	require.NoError(t, os.WriteFile(name+".json", []byte(record), 0o600))
	for end, data := range beside {
		require.NoError(t, os.WriteFile(name+end, data, 0o600))
	}
}

// both are good profiles of both sides.
func both(t *testing.T) map[string][]byte {
	good := written(t, cpuProfile())
	return map[string][]byte{".client.pprof": good, ".server.pprof": good}
}

func TestRunsAreRead(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, goodRecord, both(t))
	runs, left, err := ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	assert.Empty(t, left)
	client := runs[0]
	assert.Equal(t, []any{"BenchmarkEcho/framework=a", "client", int64(1000), 36000.0, 4 * time.Millisecond}, []any{client.Name, client.Side, client.Calls, client.CPU, client.Tick})
	assert.Equal(t, Stacks{"main.outer;runtime.inner": 7, "runtime.goexit": 2, monitor: 3}, client.Stacks, "the monitor has a quarter of the time")
	assert.InDelta(t, 36000, client.ns(12), 1e-6, "all samples are all of the clock's time")
	assert.InDelta(t, 48./36, client.Covered(), 1e-9)
	assert.EqualValues(t, 9, runs[1].Stacks.Total(), "the server's is not told")

	require.NoError(t, client.WriteFolded())
	require.NoError(t, runs[1].WriteFolded())
	for _, side := range Sides() {
		require.NoError(t, os.Remove(filepath.Join(dir, "Echo,2."+side+".pprof")))
	}
	again, _, err := ReadDir(dir)
	require.NoError(t, err)
	assert.Equal(t, client.Stacks, again[0].Stacks, "folded stacks will do, and have the monitor already")
}

func TestRunsThatTellNoParts(t *testing.T) {
	other := cpuProfile()
	other.Mapping[0].BuildID = "def0123456789"
	heap := cpuProfile()
	heap.SampleType = []*profile.ValueType{{Type: "inuse_space", Unit: "bytes"}, {Type: "cpu", Unit: "nanoseconds"}}
	with := func(end string, data []byte) map[string][]byte {
		files := both(t)
		files[end] = data
		return files
	}
	for _, c := range []struct {
		about, record, want string
		beside              map[string][]byte
	}{
		{"something else", `[]`, "Echo,2.json: not a record: ", both(t)},
		{"a record of -results", `{"name":"BenchmarkEcho","result":{"sent":1}}`, "the flag is -anatomy, not -results", both(t)},
		{"a run without a call", `{"name":"BenchmarkEcho","config":{"sample":"4ms"},"result":{"sent":0}}`, "a record without a call", both(t)},
		{"a system that does not tell the CPU time of a process", `{"name":"B","config":{"sample":"4ms"},"result":{"sent":1}}`, "the line has no client-cpu-ns/op, which the parts are to add up to", both(t)},
		{"a profile that was removed", goodRecord, "left out ", nil},
		{"a profile of memory", goodRecord, "Echo,2.server.pprof: not a CPU profile", with(".server.pprof", written(t, heap))},
		{"a profile of another binary", goodRecord, "the client's profile is of another build than the server's, abc and def012345678: run the same binary on both machines", with(".server.pprof", written(t, other))},
	} {
		dir := t.TempDir()
		keep(t, dir, c.record, c.beside)
		_, _, err := ReadDir(dir)
		assert.ErrorContains(t, err, c.want, c.about)
	}
	_, _, err := ReadDir(t.TempDir())
	assert.ErrorContains(t, err, "no profiles there; the suites write them with their flag -anatomy")
	_, _, err = ReadDir(filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestRunsThatFailed are left out, and all others are there.
func TestRunsThatFailed(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, goodRecord, both(t))
	keep(t, dir, goodRecord, map[string][]byte{".client.pprof": written(t, cpuProfile())})
	runs, left, err := ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, runs, 2)
	assert.Contains(t, left, "Echo,1.json, and perhaps others: incomplete: no profile of the server is beside it, since the run failed or was interrupted")
}

// TestRoundsAreOfOneBuild: rounds of two builds in one directory would be mixed.
func TestRoundsAreOfOneBuild(t *testing.T) {
	a := Run{Name: "B", build: "1", File: "x.json"}
	b := Run{Name: "B", build: "2", File: "y.json"}
	assert.EqualError(t, checkBuilds([]Run{a, b}), "x.json and y.json are of two builds of one benchmark: give each a directory")
	b.Name = "C"
	assert.NoError(t, checkBuilds([]Run{a, b, {Name: "B"}}), "two benchmarks may have two binaries, and folded stacks tell none")
}
