package workloads

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// BenchmarkDo measures the workloads alone, with their defaults.
func BenchmarkDo(b *testing.B) {
	for _, w := range All() {
		b.Run("workload="+w.Name, func(b *testing.B) {
			work := startWork(b, w, w.Default)
			b.ReportAllocs()
			for b.Loop() {
				if err := work.Do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func startWork(tb testing.TB, w framework.Workload, option string) framework.Work {
	tb.Helper()
	work, err := w.Start(option)
	require.NoError(tb, err)
	if work.Close != nil {
		tb.Cleanup(func() { assert.NoError(tb, work.Close()) })
	}
	return work
}

func TestEveryWorkloadIsRightAndConcurrent(t *testing.T) {
	for _, w := range All() {
		t.Run(w.Name, func(t *testing.T) { doConcurrently(t, startWork(t, w, w.Default)) })
	}
}

func doConcurrently(t *testing.T, work framework.Work) {
	t.Helper()
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for range 50 {
				if !assert.NoError(t, work.Do()) {
					return
				}
			}
		})
	}
	all.Wait()
}

func TestBadOptions(t *testing.T) {
	dir, fileLoad := t.TempDir(), file()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for _, c := range []struct {
		about    string
		workload framework.Workload
		option   string
		say      string
	}{
		{"a file that is not there", fileLoad, filepath.Join(dir, "none"), "-file: open " + dir + "/none: no such file or directory"},
		{"a file that is not there, by a relative path", fileLoad, "testdata/none.json", "-file: open testdata/none.json: no such file"},
		{"a file that is not JSON", fileLoad, write("text", "hello"), "-file: " + dir + "/text: invalid character"},
		{"a file that holds something else", fileLoad, write("object", "{}"), "cannot unmarshal object"},
		{"a file of no messages", fileLoad, write("empty", "[]"), "/empty has no messages"},
		{"a wait of no time", sleep(), "0s", "-sleep=0s: must be a duration more than 0"},
		{"a wait that does not parse", sleep(), "1", "-sleep=1: must be a duration"},
		{"no rounds", cpu(), "0", "-cpu-rounds=0: must be a whole number more than 0"},
		{"rounds that do not parse", cpu(), "many", "-cpu-rounds=many: must be"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := c.workload.Start(c.option)
			assert.ErrorContains(t, err, c.say)
			assert.NotContains(t, err.Error(), "\n", "one sentence")
		})
	}
}

func TestCacheHitsFourInFive(t *testing.T) {
	c, err := newLookup()
	require.NoError(t, err)
	const calls = 100_000
	misses := 0
	for range calls {
		before := c.cache.Contains(int64(scatter(c.calls.Load()+1) % cacheKeys))
		require.NoError(t, c.do())
		if !before {
			misses++
		}
	}
	assert.InDelta(t, .2, float64(misses)/calls, .01)
}

func TestAFileThatChangesIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "messages")
	require.NoError(t, os.WriteFile(path, []byte(`[{"id": 1}, {"id": 2}]`), 0o600))
	work := startWork(t, file(), path)
	require.NoError(t, work.Do())
	require.NoError(t, os.WriteFile(path, []byte(`[{"id": 1}]`), 0o600))
	assert.ErrorIs(t, work.Do(), message.ErrWrong)
}
