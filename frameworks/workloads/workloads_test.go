package workloads

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/netrpc"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{Frameworks: netrpc.Variants(), Workloads: All()})
}

// BenchmarkWorkload is run by a test in another process.
func BenchmarkWorkload(b *testing.B) { suite.Workload(b) }

// BenchmarkDo measures the workloads alone, with their defaults.
func BenchmarkDo(b *testing.B) {
	for _, w := range All() {
		b.Run("workload="+w.Name, func(b *testing.B) {
			work := startWork(b, w, defaultOption(w))
			b.ReportAllocs()
			for b.Loop() {
				if err := work.Do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// defaultOption returns the default of a workload's flag, whose path is that of a
// test in the root directory.
func defaultOption(w framework.Workload) string {
	if w.Name == "file" {
		return "../../" + w.Default
	}
	return w.Default
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
		t.Run(w.Name, func(t *testing.T) { doConcurrently(t, startWork(t, w, defaultOption(w))) })
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
		{"a file that is not JSON", fileLoad, write("text", "hello"), "-file: " + dir + "/text: invalid character"},
		{"a file that holds something else", fileLoad, write("object", "{}"), "cannot unmarshal object"},
		{"a file of no messages", fileLoad, write("empty", "[]"), "/empty has no messages"},
		{"a wait of no time", sleep(), "0s", "-sleep=0s: must be a duration more than 0"},
		{"a wait that does not parse", sleep(), "1", "-sleep=1: must be a duration"},
		{"no rounds", cpu(), "0", "-cpu-rounds=0: must be a whole number more than 0"},
		{"rounds that do not parse", cpu(), "many", "-cpu-rounds=many: must be"},
		{"an unknown database", db(), "mysql://u:secret@h/d", "-db: must be sqlite, or a URL that begins with postgres://"},
		{"no database", db(), "", "-db: must be sqlite"},
		{"nobody at the address", db(), "postgres://u:secret@127.0.0.1:1/d", "-db: postgres: failed to connect"},
		{"nobody at two addresses", db(), "postgres://u:secret@127.0.0.1:1,127.0.0.1:2/d", "connection refused"},
		{"somebody at the address who says nothing", db(), "postgres://u:secret@" + silence(t) + "/d?connect_timeout=1", "timeout: context deadline exceeded"},
		{"a URL that does not parse", db(), "postgres://u:secret%zz@h/d", "-db: the postgres URL cannot be parsed"},
		{"a password that could be a fragment", db(), "postgres://u:#secret@127.0.0.1:1/d", "connection refused"},
		{"a parameter of no sense", db(), "postgres://u:secret@h/d?sslmode=secretly", "-db: the postgres URL cannot be used: "},
		{"a timeout of no sense", db(), "postgres://u@h/d?password=secret&connect_timeout=soon", "-db: the postgres URL cannot be used: "},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := c.workload.Start(c.option)
			assert.ErrorContains(t, err, c.say)
			assert.NotContains(t, err.Error(), "\n", "one sentence")
			assert.NotRegexp(t, `\bsecret\b`, err.Error())
			assert.LessOrEqual(t, strings.Count(err.Error(), "127.0.0.1:1:"), 1, "nothing is said twice")
		})
	}
}

// silence returns the address of a listener that never answers.
func silence(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
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
	assert.ErrorIs(t, work.Do(), errWrong)
}

func TestRowsThatChangeAreAnError(t *testing.T) {
	d, err := openSQLite()
	require.NoError(t, err)
	defer d.Close()
	s, err := d.prepare()
	require.NoError(t, err)
	_, err = d.Exec("update message set content = 'other'")
	require.NoError(t, err)
	assert.ErrorIs(t, s.do(), errWrong)
	_, err = d.Exec("delete from message")
	require.NoError(t, err)
	assert.Error(t, s.do())
}
