package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// recordOf returns a record of 2,500 calls that took rank+1 ms each and 25 of which
// failed.
func recordOf(rank, ranks int) *record.Record {
	res := &loadgen.Result{Elapsed: 2500 * time.Millisecond, Due: 2500, Sent: 2500, OK: 2475, Failed: 25}
	for _, h := range []*loadgen.Histogram{&res.Response, &res.Service} {
		h.Record(time.Duration(rank+1)*time.Millisecond, 2500)
	}
	res.Lag.Record(time.Microsecond, 2500)
	res.Errors.Record(time.Duration(rank+1)*time.Millisecond, 25)
	res.ErrorKinds = []loadgen.ErrorKind{{Text: "refused", Count: 25}}
	res.Warnings = []error{errors.New("the CPUs were slow")}
	return &record.Record{
		RunName: "12.0", Benchmark: "BenchmarkHello/rate=4000", Rank: rank, Ranks: ranks, Start: start, Result: res,
		Config: map[string]string{"go": "go1.26", "node": fmt.Sprint("n", rank/2)}, Metrics: map[string]float64{"client-cpu-ns/op": 5000},
	}
}

// written writes the records of these ranks, after change, and returns the directory.
func written(t *testing.T, change func(r *record.Record), ranks ...int) string {
	t.Helper()
	dir := t.TempDir()
	for _, rank := range ranks {
		r := recordOf(rank, 4)
		if change != nil {
			change(r)
		}
		_, err := r.Write(dir)
		require.NoError(t, err)
	}
	return dir
}

// command runs loadmerge.
func command(args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

const merged = `# run 12.0, started 2026-01-02 03:04:05.000 UTC
go: go1.26
node: n0, n1
BenchmarkHello/rate=4000    10000       3960 calls/s       5000 client-cpu-ns/op          0 dropped        100.0 errors       1000 lag-p99-ns    2000895 p50-ns    4001791 p99-ns
# BenchmarkHello/rate=4000: rank 0, 1, 2, 3: the CPUs were slow
# BenchmarkHello/rate=4000: 100 × refused
`

func TestMergedLine(t *testing.T) {
	dir, out := written(t, nil, 0, 1, 2, 3), t.TempDir()
	code, stdout, stderr := command("-o", out, dir)
	require.Zero(t, code, stderr)
	assert.Empty(t, stderr)
	_, lines, _ := strings.Cut(stdout, loadbench.Units)
	assert.Equal(t, merged, strings.ReplaceAll(lines, "\t", " "))

	sum := new(loadgen.Result)
	for rank := range 4 {
		require.NoError(t, sum.Merge(recordOf(rank, 4).Result))
	}
	sum.Warnings = []error{errors.New("rank 0, 1, 2, 3: the CPUs were slow")}
	parts, err := readAll([]string{out})
	require.NoError(t, err)
	require.Len(t, parts, 1)
	assert.Equal(t, sum, parts[0].Result, "nothing is lost")
	code, again, stderr := command(out)
	assert.Zero(t, code, stderr)
	assert.Equal(t, stdout, again, "what was merged is a record as well")
}

func TestSeveralLines(t *testing.T) {
	dir := written(t, nil, 0, 1, 2, 3)
	for rank := range 4 {
		r := recordOf(rank, 4)
		r.Benchmark, r.Start = "BenchmarkAfter", start.Add(time.Minute)
		r.Config = map[string]string{"go": "go1.26"}
		r.Result.Closed = true
		require.NoError(t, r.Result.Lag.UnmarshalText(nil))
		_, err := r.Write(dir)
		require.NoError(t, err)
	}
	code, stdout, stderr := command(dir)
	require.Zero(t, code, stderr)
	first, second := strings.Index(stdout, "\nBenchmarkHello/rate=4000"), strings.Index(stdout, "\nnode:\nBenchmarkAfter")
	assert.Positive(t, first)
	assert.Greater(t, second, first, "in the order in which they ran, each with its own configuration:\n%s", stdout)
	assert.Contains(t, stdout[second:], "250000 ns/op", "of a closed loop there is a time per call")
}

func TestPartial(t *testing.T) {
	code, stdout, stderr := command("-partial", written(t, nil, 0, 3))
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, "\nBenchmarkHello/rate=4000\t    5000\t")
	assert.Contains(t, stdout, "\n# BenchmarkHello/rate=4000: of 4 ranks are missing: 1, 2\n")
}

func TestRanksThatDidNotStartTogether(t *testing.T) {
	for _, c := range []struct {
		about string
		later time.Duration // each rank than the one before
		note  string
		start string
	}{
		{"a thirtieth of a run", 10 * time.Millisecond, "30ms", "03:04:05.000"},
		{"the last rank first", -10 * time.Millisecond, "30ms", "03:04:04.970"},
		{"a hundredth is as good as together", 2500 * time.Millisecond / 300, "", "03:04:05.000"},
		{"a little more is not", 2500*time.Millisecond/300 + 1, "25.000002ms", "03:04:05.000"},
	} {
		apart := func(r *record.Record) { r.Start = start.Add(time.Duration(r.Rank) * c.later) }
		_, stdout, _ := command(written(t, apart, 0, 1, 2, 3))
		assert.Contains(t, stdout, "started 2026-01-02 "+c.start+" UTC\n", c.about)
		_, note, _ := strings.Cut(stdout, "# BenchmarkHello/rate=4000: the ranks started up to ")
		note, _, _ = strings.Cut(note, " apart\n")
		assert.Equal(t, c.note, note, c.about)
	}
}

// What ranks of one run have in common is told where it differs.
func TestRanksThatDiffer(t *testing.T) {
	for about, c := range map[string]struct {
		last func(r *record.Record) // of the last rank
		want string
	}{
		"alike":                       {func(*record.Record) {}, ""},
		"a machine of its own":        {func(r *record.Record) { r.Config["pin"] = "0/1" }, ""},
		"another Go":                  {func(r *record.Record) { r.Config["go"] = "go1.27" }, "the ranks are of several versions: go go1.26, go1.27\n"},
		"another release":             {func(r *record.Record) { r.Config["grpc"] = "v1.8.0" }, "the ranks are of several versions: grpc v1.7.0, v1.8.0\n"},
		"a longer run":                {func(r *record.Record) { r.Result.Elapsed *= 2 }, "the ranks ran for 2.5 s to 5 s, and rates are of the longest\n"},
		"a run as good as alike":      {func(r *record.Record) { r.Result.Elapsed += r.Result.Elapsed / 20 }, ""},
		"a rate that differs by half": {func(r *record.Record) { many(r, 20_000) }, "the ranks had 4000 to 8000 calls/s to make: they are no equal shares\n"},
		"a rate as chance has it":     {func(r *record.Record) { many(r, 10_500) }, ""},
	} {
		dir := written(t, func(r *record.Record) {
			many(r, 10_000)
			r.Config["grpc"] = "v1.7.0"
			if r.Rank == 3 {
				c.last(r)
			}
		}, 0, 1, 2, 3)
		code, stdout, stderr := command(dir)
		require.Zero(t, code, stderr)
		_, note, _ := strings.Cut(stdout, "# BenchmarkHello/rate=4000: the ranks ")
		if note != "" {
			note, _, _ = strings.Cut("the ranks "+note, "# ")
		}
		assert.Equal(t, c.want, note, about)
	}
}

// many gives a record more calls that were well.
func many(r *record.Record, calls int64) {
	res := &loadgen.Result{Elapsed: 2500 * time.Millisecond, Due: calls, Sent: calls, OK: calls}
	for _, h := range []*loadgen.Histogram{&res.Response, &res.Service, &res.Lag} {
		h.Record(time.Millisecond, calls)
	}
	r.Result = res
}

func TestLinesOfOneStartAreInTheOrderOfTheirNames(t *testing.T) {
	dir := t.TempDir()
	for name := 'Z'; name >= 'A'; name-- {
		r := recordOf(0, 1)
		r.Benchmark = "Benchmark" + string(name)
		_, err := r.Write(dir)
		require.NoError(t, err)
	}
	_, stdout, _ := command(dir)
	names := ""
	for line := range strings.Lines(stdout) {
		if rest, ok := strings.CutPrefix(line, "Benchmark"); ok {
			names += rest[:1]
		}
	}
	assert.Equal(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", names)
}

func TestCPUIsThatOfAllOrNone(t *testing.T) {
	without := func(r *record.Record) {
		if r.Rank == 2 {
			r.Metrics = nil
		}
	}
	_, stdout, _ := command(written(t, without, 0, 1, 2, 3))
	_, line, _ := strings.Cut(stdout, "\nBenchmark")
	assert.NotContains(t, line, "client-cpu-ns/op")
}

func TestWhatCannotBeMerged(t *testing.T) {
	empty, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	of := func(rank int, change func(r *record.Record)) func(*record.Record) {
		return func(r *record.Record) {
			if r.Rank == rank {
				change(r)
			}
		}
	}
	for _, c := range []struct {
		about string
		args  []string
		code  int
		say   []string
	}{
		{"nothing", nil, 2, []string{"no records"}},
		{"an unknown flag", []string{"-x"}, 2, []string{"-x"}},
		{"a flag after the files", []string{"d", "-partial"}, 2, []string{"-partial comes after a file"}},
		{"a file that is not there", []string{gone}, 1, []string{gone}},
		{"a directory without records", []string{empty}, 1, []string{empty, "no .json file"}},
		{"a rank is missing", []string{written(t, nil, 0, 1, 3)}, 1, []string{"BenchmarkHello/rate=4000: of 4 ranks are missing: 2; -partial"}},
		{
			"another run",
			[]string{written(t, of(3, func(r *record.Record) { r.RunName = "13.0" }), 0, 1, 2, 3)},
			1,
			[]string{"0-of-4.json is of run \"12.0\"", "3-of-4.json of run \"13.0\": merge one run at a time"},
		},
		{
			"another number of ranks",
			[]string{written(t, of(3, func(r *record.Record) { r.Ranks = 5 }), 0, 1, 2, 3)},
			1,
			[]string{"0-of-4.json is of 4 ranks", "3-of-5.json of 5"},
		},
		{
			"a rank twice, even if some are missing",
			[]string{"-partial", written(t, of(0, func(r *record.Record) { r.Rank = 1 }), 0), written(t, nil, 1, 2)},
			1,
			[]string{"are both rank 1 of BenchmarkHello/rate=4000", "1-of-4.json"},
		},
		{
			"a rank that began when another was over",
			[]string{written(t, of(2, func(r *record.Record) { r.Start = start.Add(21 * time.Minute) }), 0, 1, 2, 3)},
			1,
			[]string{"2-of-4.json began 20m57.5s after ", "0-of-4.json was over, so their calls of BenchmarkHello/rate=4000 were no load together: start ranks at one time"},
		},
		{
			"it so even if some are missing",
			[]string{"-partial", written(t, of(2, func(r *record.Record) { r.Start = start.Add(2500 * time.Millisecond) }), 0, 2)},
			1,
			[]string{"2-of-4.json began 0s after "},
		},
		{
			"a closed loop and an open one",
			[]string{written(t, of(2, func(r *record.Record) { r.Result.Closed, r.Result.Lag = true, loadgen.Histogram{} }), 0, 1, 2, 3)},
			1,
			[]string{"2-of-4.json: loadgen: results of a closed and of an open loop"},
		},
		{"a file that was cut off", []string{cutOff(t, written(t, nil, 0, 1, 2, 3), 1)}, 1, []string{"1-of-4.json: unexpected end"}},
		{"a run without a time", []string{spoilt(t, `"elapsed_ns":2500000000`, `"elapsed_ns":0`)}, 1, []string{"1-of-4.json: ", "2500 calls in no time"}},
		{"one of a nanosecond", []string{spoilt(t, `"elapsed_ns":2500000000`, `"elapsed_ns":1`)}, 1, []string{"1-of-4.json: ", "in a run of 1ns"}},
		{"2·10⁹ ranks", []string{spoilt(t, `"size":4`, `"size":2000000000`)}, 1, []string{"1-of-4.json: record: 2000000000 ranks"}},
		{"a negative metric", []string{spoilt(t, `"client-cpu-ns/op":5000`, `"client-cpu-ns/op":-5000`)}, 1, []string{"1-of-4.json: ", "is -5000"}},
		{"kinds that do not add up", []string{spoilt(t, `"count":25`, `"count":24`)}, 1, []string{"1-of-4.json: ", "25 calls failed, and the kinds of 24"}},
		{"no service times", []string{spoilt(t, `"service":"`, `"nothing":"`)}, 1, []string{"1-of-4.json: ", "the service times of 0 calls"}},
		{"even if some may be missing", []string{"-partial", cutOff(t, written(t, nil, 0, 1, 2, 3), 1)}, 1, []string{"1-of-4.json: unexpected end"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			code, stdout, stderr := command(c.args...)
			assert.Equal(t, c.code, code)
			assert.Empty(t, stdout)
			for _, say := range c.say {
				assert.Contains(t, stderr, say)
			}
		})
	}
}

// TestTextsOfOthers: those of agents print no result, and reach no terminal.
func TestTextsOfOthers(t *testing.T) {
	const forged = "x\nBenchmarkForged 1 1 ns/op\x1b[2J"
	spoil := func(r *record.Record) {
		r.RunName, r.Config["node"] = forged, forged
		r.Result.Warnings = []error{errors.New(forged)}
		r.Result.ErrorKinds[0].Text = forged
	}
	dir, out := written(t, spoil, 0, 1, 2, 3), t.TempDir()
	code, stdout, stderr := command("-o", out, dir)
	require.Zero(t, code, stderr)
	assert.Equal(t, 4, strings.Count(stdout, `x\nBenchmarkForged 1 1 ns/op\x1b[2J`), "the run, the node, the warning, the failures:\n%s", stdout)
	assert.NotContains(t, stdout, "\nBenchmarkForged")
	assert.NotContains(t, stdout, "\x1b")
	_, _, stderr = command(filepath.Join(t.TempDir(), forged))
	assert.NotContains(t, stderr, "\nBenchmark")
	assert.NotContains(t, stderr, "\x1b")
}

func TestOutputThatIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var stderr strings.Builder
	assert.Equal(t, 1, run([]string{written(t, nil, 0, 1, 2, 3)}, full, &stderr))
	assert.Contains(t, stderr.String(), "loadmerge: write /dev/full: no space left")
}

// spoilt changes the file of rank 1.
func spoilt(t *testing.T, from, to string) (dir string) {
	t.Helper()
	dir = written(t, nil, 0, 1, 2, 3)
	files, err := filesOf(dir)
	require.NoError(t, err)
	data, err := os.ReadFile(files[1])
	require.NoError(t, err)
	require.Contains(t, string(data), from)
	require.NoError(t, os.WriteFile(files[1], []byte(strings.Replace(string(data), from, to, 1)), 0o666))
	return dir
}

// cutOff halves the file of a rank.
func cutOff(t *testing.T, dir string, rank int) string {
	t.Helper()
	files, err := filesOf(dir)
	require.NoError(t, err)
	info, err := os.Stat(files[rank])
	require.NoError(t, err)
	require.NoError(t, os.Truncate(files[rank], info.Size()/2))
	return dir
}

func TestHelp(t *testing.T) {
	code, _, stderr := command("-help")
	assert.Zero(t, code)
	assert.Contains(t, stderr, "usage: loadmerge")
}
