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

const merged = `Unit calls/s better=higher
Unit p50-ns better=lower
Unit p99-ns better=lower
Unit errors better=lower assume=exact
Unit client-cpu-ns/op better=lower
Unit dropped better=lower assume=exact
Unit lag-p99-ns better=lower
# run 12.0, started 2026-01-02 03:04:05.000 UTC
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
	assert.Equal(t, merged, strings.ReplaceAll(stdout, "\t", " "))

	sum := new(loadgen.Result)
	for rank := range 4 {
		require.NoError(t, sum.Merge(recordOf(rank, 4).Result))
	}
	sum.Warnings = []error{errors.New("rank 0, 1, 2, 3: the CPUs were slow")}
	parts, _, err := readAll([]string{out})
	require.NoError(t, err)
	require.Len(t, parts, 1)
	assert.Equal(t, sum, parts[0].Result, "nothing is lost")
	code, again, stderr := command(out)
	assert.Zero(t, code, stderr)
	assert.Equal(t, stdout, again, "what was merged is a record as well")
}

// All calls of recordOf's four ranks have a p90 of 4 ms, and a hundredth of them failed.
func TestConditions(t *testing.T) {
	dir := written(t, nil, 0, 1, 2, 3)
	for _, c := range []struct {
		about, require string
		code           int
		said           string
	}{
		{"one that is met", "p90<5ms", 0, ""},
		{"a count that no rank has alone", "calls>=10000", 0, ""},
		{"one of two is not met", "p90<5ms,errors<1%", 1, "loadmerge: BenchmarkHello/rate=4000: 1 of 2 conditions not met: errors<1%: 100 of 10000, 1 %\n"},
		{"no condition", "p90", 2, "loadmerge: -require=p90: condition"},
	} {
		code, stdout, stderr := command("-require="+c.require, dir)
		assert.Equal(t, c.code, code, c.about)
		assert.Contains(t, stderr, c.said, c.about)
		assert.Equal(t, code < 2, stdout != "", "%s: what was measured is printed: %s", c.about, stdout)
	}
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

// TestManyRanksHaveManyMachines, of which a line has room for some.
func TestManyRanksHaveManyMachines(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for rank := range 150 {
		r := recordOf(rank, 150)
		r.Config["node"] = fmt.Sprintf("n%d", rank)
		r.Config["cpu"] = fmt.Sprintf("%d %s", rank, strings.Repeat("x", 60_000))
		_, err := r.Write(dir)
		require.NoError(t, err)
	}
	code, stdout, stderr := command("-o", out, dir)
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, "n98, n99, and 50 more\n")
	code, _, stderr = command(out)
	assert.Zero(t, code, "what was merged is a record: %s", stderr)
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
		{"a directory without records", []string{empty}, 1, []string{empty, "there is no record in it"}},
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
		{"a mean of others", []string{spoilt(t, `"mean_ns":`, `"mean_ns":7`)}, 1, []string{"1-of-4.json: ", "those of its histogram"}},
		{"an impossible quantile", []string{spoilt(t, `"result":{`, `"result":{"confidence":[{"quantile":2,"low_ns":0,"high_ns":0}],`)}, 1, []string{"1-of-4.json: ", "the interval of a quantile 2"}},
		{"an impossible interval", []string{spoilt(t, `"result":{`, `"result":{"series":[{"start_ns":0,"ok":-5,"failed":0}],`)}, 1, []string{"1-of-4.json: ", "has -5 calls ok"}},
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

// TestDirectoriesHoldOtherFiles too: what is no record is left out and told, and what may
// be one that was damaged is an error.
func TestDirectoriesHoldOtherFiles(t *testing.T) {
	const named = "X,20260102T030405.000000000,1-of-4.json"
	file := func(name, text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
	}
	link := func(name, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			require.NoError(t, os.Symlink(to, filepath.Join(dir, name)))
		}
	}
	for about, c := range map[string]struct {
		put  func(t *testing.T, dir string)
		code int
		say  string // on stderr
	}{
		"what macOS leaves beside each file":        {file("._"+named, "\x00\x05\x16\x07"), 0, "left out, since it is no record: D/._" + named},
		"what a killed process has half written":    {file(".part-7-"+named, `{"run":"12.0"`), 0, "left out, since it is no record: D/.part-7-" + named},
		"other names":                               {file(".DS_Store", "x"), 0, ""},
		"of Windows":                                {file("Thumbs.db", "x"), 0, ""},
		"of Windows as well":                        {file("desktop.ini", "x"), 0, ""},
		"a directory":                               {func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(filepath.Join(dir, "x.json"), 0o777)) }, 0, "D/x.json"},
		"a directory of the name of a record":       {func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(filepath.Join(dir, named), 0o777)) }, 0, "D/" + named},
		"a link to a device":                        {link("x.json", "/dev/zero"), 0, "D/x.json"},
		"a link to a record that is gone":           {link("x.json", "gone"), 1, "x.json: no such file"},
		"JSON of something else":                    {file("package.json", `{"name":"x"}`), 0, "D/package.json"},
		"a list":                                    {file("x.json", `[]`), 0, "D/x.json"},
		"no JSON":                                   {file("x.json", "hello"), 0, "D/x.json"},
		"nothing":                                   {file("x.json", ""), 0, "D/x.json"},
		"nothing, where a record was":               {file(named, ""), 1, named + ": unexpected end of JSON"},
		"zeros where a record was":                  {file(named, strings.Repeat("\x00", 4096)), 1, named + ": invalid character"},
		"something else where a record was":         {file(named, `{"name":"x"}`+"\n"), 1, named + ": record: the name of the run or of the benchmark is missing"},
		"a record of another name that was cut off": {file("x.json", `{"run":"12.0","na`), 1, "x.json: unexpected end of JSON"},
		"one whose space was changed":               {file("x.json", "{\n  \"run\": \"12.0\",\n"), 1, "x.json: unexpected end of JSON"},
		"one without a result":                      {file("x.json", `{"config":{},"run":"12.0","name":"BenchmarkX","size":1}`), 1, "x.json: record: it is without a result"},
	} {
		dir := written(t, nil, 0, 1, 2, 3)
		c.put(t, dir)
		code, stdout, stderr := command(dir)
		stderr = strings.ReplaceAll(stderr, dir+string(filepath.Separator), "D/")
		assert.Equal(t, c.code, code, "%s: %s", about, stderr)
		assert.Equal(t, c.code == 0, strings.Contains(stdout, "\nBenchmarkHello/rate=4000"), about)
		assert.LessOrEqual(t, strings.Count(stderr, "\n"), 1, about)
		if c.say == "" {
			assert.Empty(t, stderr, about)
			continue
		}
		assert.Contains(t, stderr, c.say, about)
		assert.Equal(t, c.code == 0, strings.Contains(stderr, "left out"), about)
	}
}

// TestOtherFilesAreToldOnce, and those that are given by name are not left out.
func TestOtherFilesAreToldOnce(t *testing.T) {
	dir := written(t, nil, 0, 1, 2, 3)
	for _, name := range []string{"._a.json", "._b\nBenchmarkX 1 1 ns\x1b.json", "notes.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666))
	}
	code, _, stderr := command(dir)
	assert.Zero(t, code)
	assert.Equal(t, "loadmerge: left out, since they are no records: "+filepath.Join(dir, "._a.json")+" and 2 more\n", stderr)
	code, stdout, stderr := command(dir, filepath.Join(dir, "notes.json"))
	assert.Equal(t, 1, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "notes.json: invalid character 'x'")
	alone := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(alone, "notes.json"), []byte("x"), 0o666))
	code, _, stderr = command(alone)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, alone+": there is no record in it, of 1 .json files")
}

// TestWhatIsNoFileIsRefused at once, if it is given by its name.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	sparse, device := filepath.Join(dir, "sparse"), filepath.Join(dir, "device")
	require.NoError(t, os.WriteFile(sparse, nil, 0o666))
	require.NoError(t, os.Truncate(sparse, 5<<30))
	require.NoError(t, os.Symlink(os.DevNull, device))
	for path, say := range map[string]string{sparse: "more than 64 MiB are not read", device: "is a device, not a file"} {
		code, _, stderr := command(path)
		assert.Equal(t, 1, code)
		assert.Contains(t, stderr, say)
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
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
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
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	info, err := os.Stat(files[rank])
	require.NoError(t, err)
	require.NoError(t, os.Truncate(files[rank], info.Size()/2))
	return dir
}

func TestHelp(t *testing.T) {
	code, stdout, stderr := command("-help")
	assert.Zero(t, code)
	assert.Contains(t, stdout, "Usage: loadmerge")
	assert.Empty(t, stderr)
}
