package workloads

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
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

// BenchmarkSleep says how far from nominal 100 calls at once sleep: on a quiet machine, with
// -benchtime=100000x, within 1 %. A share of calls that ends exactly at p99, as in the mix, has
// the latest of all these calls as its p99.
func BenchmarkSleep(b *testing.B) {
	for _, text := range []string{"1ms", "150us:90_2ms:9_20ms:1", "exponential:1ms", "lognormal:1ms:3", "pareto:200us:1.5"} {
		b.Run("sleep="+text, func(b *testing.B) {
			work, nominal := startWork(b, sleep(), text), nominalOf(b, text, b.N)
			slept := timeCalls(b, work, b.N)
			for name, figure := range map[string]func([]float64) float64{"mean": mean, "p50": quantile(.5), "p99": quantile(.99)} {
				b.ReportMetric(100*(figure(slept)/figure(nominal)-1), name+"-off-%")
			}
		})
	}
}

// nominalOf has the times that n calls of workload=sleep should take, the shortest first.
func nominalOf(tb testing.TB, text string, n int) (list []float64) {
	work, err := readTurns("sleep", text, times())
	require.NoError(tb, err)
	for range n {
		list = append(list, float64(work.next()))
	}
	slices.Sort(list)
	return list
}

// timeCalls makes n calls, 100 at once, and returns what each took, the shortest first.
func timeCalls(tb testing.TB, work workload.Work, n int) []float64 {
	list := make([]float64, n)
	var last atomic.Int64
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for at := last.Add(1) - 1; at < int64(n); at = last.Add(1) - 1 {
				begin := time.Now()
				assert.NoError(tb, work.Do())
				list[at] = float64(time.Since(begin))
			}
		})
	}
	all.Wait()
	slices.Sort(list)
	return list
}

func mean(list []float64) (m float64) {
	for _, v := range list {
		m += v / float64(len(list))
	}
	return m
}

// quantile takes of a sorted list the least value that a share p does not exceed.
func quantile(p float64) func(list []float64) float64 {
	return func(list []float64) float64 { return list[max(int(math.Ceil(p*float64(len(list)))), 1)-1] }
}

// TestSleepsTakeTheirTimes with wide bounds, in real time.
func TestSleepsTakeTheirTimes(t *testing.T) {
	const text, calls = "150us:90_1ms:9_2ms:1", 10_000
	slept, nominal := timeCalls(t, startWork(t, sleep(), text), calls), nominalOf(t, text, calls)
	assert.Greater(t, mean(slept), .5*mean(nominal))
	assert.Less(t, mean(slept), 100*mean(nominal))
	assert.Greater(t, quantile(.5)(slept), .5*quantile(.5)(nominal))
}

func startWork(tb testing.TB, w workload.Workload, option string) workload.Work {
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

func doConcurrently(t *testing.T, work workload.Work) {
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
	fileOf := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for _, c := range []struct {
		about    string
		workload workload.Workload
		option   string
		say      string
	}{
		{"a file that is not there", fileLoad, filepath.Join(dir, "none"), "-file: open " + dir + "/none: no such file or directory"},
		{"a file that is not there, by a relative path", fileLoad, "testdata/none.json", "-file: open testdata/none.json: no such file"},
		{"a directory", fileLoad, dir, "-file: " + dir + " is not a regular file"},
		{"a device", fileLoad, os.DevNull, "-file: " + os.DevNull + " is not a regular file"},
		{"a file that is not JSON", fileLoad, fileOf("text", "hello"), "-file: " + dir + "/text: invalid character"},
		{"a file that holds something else", fileLoad, fileOf("object", "{}"), "cannot unmarshal object"},
		{"a file of no messages", fileLoad, fileOf("empty", "[]"), "/empty has no messages"},
		{"a wait of no time", sleep(), "0s", "-sleep=0s: must be more than 0"},
		{"a wait that does not parse", sleep(), "1", `-sleep=1: "1" must be a duration, as in 1ms`},
		{"a wait below 0", sleep(), "-1ms", "-sleep=-1ms: its values must be from 0s to 1h0m0s"},
		{"a wait of which a server takes a multiple", sleep(), "10x:7m", "-sleep=10x:7m: its values must be from 0s to 1h0m0s"},
		{"shares that do not sum up", sleep(), "150us:90_2ms:9", "-sleep=150us:90_2ms:9: the shares sum up to 99 per cent, and must"},
		{"a file of times that is not there", sleep(), "file:none", "-sleep=file:none: open none: no such file or directory"},
		{"no rounds", cpu(), "0", "-cpu-rounds=0: must be more than 0"},
		{"rounds that do not parse", cpu(), "many", `-cpu-rounds=many: "many" must be a whole number`},
		{"rounds below 0", cpu(), "-1", "-cpu-rounds=-1: its values must be from 0 rounds to 100000000 rounds"},
		{"a heap of nothing", heap(), "0MiB", "-heap=0MiB: must be a whole number of KiB, MiB or GiB"},
		{"a heap without a unit", heap(), "64", "-heap=64: must be"},
		{"a heap larger than many machines", heap(), "2GiB", "from 1KiB to 1GiB"},
		{"a file that is written with nothing", write(), "0KiB", "-write=0KiB: must be"},
		{"a size of letters", write(), "manyKiB", "-write=manyKiB: must be"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := c.workload.Start(c.option)
			assert.ErrorContains(t, err, c.say)
			assert.NotContains(t, err.Error(), "\n", "one sentence")
		})
	}
}

// TestEachFrameworkHasTheSameSequence: what two processes say of it, and what they do.
func TestEachFrameworkHasTheSameSequence(t *testing.T) {
	for _, c := range []struct {
		workload      workload.Workload
		option, setup string
	}{
		{sleep(), "1ms", "1ms, by "},
		{sleep(), "10x:1ms", "10ms, by "},
		{sleep(), "150us:90_2ms:9_20ms:1", "150us:90_2ms:9_20ms:1: mean 515µs, p50 150µs, p99 2ms, largest 20ms, sequence 89dfa2323bd40b15, by "},
		{cpu(), "10", "10 rounds"},
		{cpu(), "1:60_2:39.5_60:0.5", ""},
		{cpu(), "10x:exponential:2", ""},
	} {
		one, two := startWork(t, c.workload, c.option), startWork(t, c.workload, c.option)
		assert.True(t, strings.HasPrefix(one.Setup, c.setup), one.Setup)
		assert.Equal(t, one.Setup, two.Setup)
	}
	doConcurrently(t, startWork(t, cpu(), "1:60_2:39.5_60:0.5"))
}

// TestSumsFitTheirRounds: the sums that calls are checked against are right for each
// number of rounds, 0 of them too.
func TestSumsFitTheirRounds(t *testing.T) {
	work, err := readTurns("cpu-rounds", "exponential:5", rounds())
	require.NoError(t, err)
	want := sums(work.Spread)
	require.Contains(t, want, int64(0))
	for n, sum := range want {
		assert.Equal(t, hash(n), sum)
	}
}

// TestCallsTakeTurns: a hundred calls at once take each value once.
func TestCallsTakeTurns(t *testing.T) {
	work, err := readTurns("sleep", "exponential:1ms", times())
	require.NoError(t, err)
	var calls sync.WaitGroup
	var sum atomic.Int64
	for range 100 {
		calls.Go(func() {
			for range work.Len() / 100 {
				sum.Add(work.next())
			}
		})
	}
	calls.Wait()
	assert.InDelta(t, work.Mean(), float64(sum.Load())/float64(work.Len()), 1)
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

func TestHeapKeepsWhatItIsTold(t *testing.T) {
	for _, c := range []struct {
		about string
		kept  string
		calls int
		live  uint64 // bytes
	}{
		{"nothing is kept before the first call", "32MiB", 0, 0},
		{"the first call fills the heap", "32MiB", 1, 32 << 20},
		{"objects are dropped as they are replaced", "32MiB", 100_000, 32 << 20},
		{"a heap may have a single object", "1KiB", 1000, 1 << 10},
	} {
		t.Run(c.about, func(t *testing.T) {
			before := liveBytes()
			work := startWork(t, heap(), c.kept)
			for range c.calls {
				require.NoError(t, work.Do())
			}
			assert.InDelta(t, c.live, float64(liveBytes())-float64(before), 1<<20)
			runtime.KeepAlive(work.Do)
		})
	}
}

func liveBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAnObjectThatIsNotWholeIsAnError(t *testing.T) {
	const places = 10
	torn, cut := newObject(13), newObject(13)
	torn.next.next.number = 14
	cut.next = nil
	for _, c := range []struct {
		about  string
		object *block
		at     uint64
		err    error
	}{
		{"one that is whole, in its place", newObject(13), 3, nil},
		{"one of another place", newObject(13), 4, message.ErrWrong},
		{"one with a block of another", torn, 3, message.ErrWrong},
		{"one that has lost blocks", cut, 3, message.ErrWrong},
	} {
		assert.Equal(t, c.err, c.object.check(c.at, places), c.about)
	}
}

func TestWritesLeaveNothingBehind(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	work, err := write().Start("4KiB")
	require.NoError(t, err)
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			for work.Do() == nil { // until the end
			}
		})
	}
	require.NoError(t, work.Close(), "during calls")
	calls.Wait()
	assert.ErrorIs(t, work.Do(), errEnded)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestAFileThatIsGoneIsAnError(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	work := startWork(t, write(), "1KiB")
	dirs, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(os.TempDir(), dirs[0].Name())))
	assert.ErrorIs(t, work.Do(), os.ErrNotExist)
}

func TestWritesNeedADirectory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, err := write().Start("1KiB")
	assert.ErrorContains(t, err, "workload=write: ")
}
