package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/bounds"
	"github.com/rpcbench/rpcbench/loadgen/internal/portable"
)

func aRecord(t *testing.T) *Record {
	t.Helper()
	res, err := loadgen.Run(context.Background(), loadgen.Config{Workers: 2, Schedule: loadgen.ClosedLoop, Calls: 100}, func(context.Context, int) error { return nil })
	require.NoError(t, err)
	return &Record{
		RunName: "r", Benchmark: "BenchmarkEcho/framework=a/size=1KiB", Ranks: 1, Start: time.Now().Truncate(0),
		Config: map[string]string{"go": "go1.26"}, Metrics: map[string]float64{"calls/s": 1}, Result: res,
	}
}

func TestRecordIsReadAsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	want := aRecord(t)
	path, err := want.Write(dir)
	require.NoError(t, err)
	got, err := Read(path)
	require.NoError(t, err)
	assert.True(t, want.Start.Equal(got.Start))
	got.Start = want.Start
	assert.Equal(t, &want.Result.Response, &got.Result.Response)
	assert.Equal(t, want.Median, got.Result.Response.Quantile(.5))
	assert.Equal(t, want.Metrics, got.Metrics)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing is left beside the record")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var encoded strings.Builder
	require.NoError(t, want.Encode(&encoded))
	assert.Equal(t, string(text), encoded.String())
}

// TestRecordsOfEarlierVersions reads files that an earlier version wrote of runs
// with failures and warnings.
func TestRecordsOfEarlierVersions(t *testing.T) {
	for _, c := range []struct {
		loop        string
		rank, ranks int
		counts      []int64 // due, sent, ok, failed, dropped
		backlog     int64
		lag         time.Duration
		elapsed     time.Duration
		responses   []time.Duration // mean, median, max
		points      int
		confidence  []loadgen.Confidence
		errors      string
		warnings    []string
	}{
		{
			"open", 1, 4,
			[]int64{2400, 1385, 1164, 221, 1015},
			10, 4_999_823, 1_205_712_584,
			[]time.Duration{6_266_544, 6_262_783, 10_526_719},
			25,
			[]loadgen.Confidence{{Quantile: .5, Low: 6_225_919, High: 6_324_223}, {Quantile: .99, Low: 8_138_751, High: 10_100_735}},
			`194 × "seventh", of "many"; 27 × connection … refused`,
			[]string{"1015 of 2400 calls due were not sent", "p99 is not known to ±0.01 %: a longer Duration is needed"},
		},
		{
			"closed", 0, 1,
			[]int64{900, 900, 756, 144, 0},
			0, 0, 542_965_087,
			[]time.Duration{1_736_149, 2_123_775, 3_696_639},
			3, nil,
			`126 × "seventh", of "many"; 18 × connection … refused`,
			[]string{"too few calls: p99 rests on 900, it needs 1000"},
		},
	} {
		t.Run(c.loop, func(t *testing.T) {
			r, err := Read(filepath.Join("testdata", c.loop+".json"))
			require.NoError(t, err)
			assert.Equal(t, "12.0", r.RunName)
			assert.Equal(t, "BenchmarkHello/loop="+c.loop, r.Benchmark)
			assert.Equal(t, []int{c.rank, c.ranks}, []int{r.Rank, r.Ranks})
			assert.True(t, time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC).Equal(r.Start))
			assert.Equal(t, map[string]string{"go": "go1.26", "agents": strconv.Itoa(c.ranks)}, r.Config)
			assert.Equal(t, map[string]float64{"calls/s": 1234.5}, r.Metrics)
			assert.Equal(t, c.responses, []time.Duration{r.Mean, r.Median, r.Max})

			res := r.Result
			assert.Equal(t, c.loop == "closed", res.Closed)
			assert.Equal(t, c.counts, []int64{res.Due, res.Sent, res.OK, res.Failed, res.Dropped})
			assert.Equal(t, c.backlog, res.MaxBacklog)
			assert.Equal(t, []time.Duration{c.lag, c.elapsed}, []time.Duration{res.MaxLag, res.Elapsed})
			assert.Equal(t, c.responses, []time.Duration{res.Response.Mean(), res.Response.Quantile(.5), res.Response.Max()})
			assert.Len(t, res.Series, c.points)
			assert.Equal(t, c.confidence, res.Confidence)
			assert.Equal(t, c.errors, res.Failures())
			for i, text := range c.warnings {
				assert.EqualError(t, res.Warnings[i], text)
				assert.Equal(t, strings.HasPrefix(text, "too few"), errors.Is(res.Warnings[i], loadgen.ErrFewCalls))
			}
			assert.Len(t, res.Warnings, len(c.warnings))
		})
	}
}

func TestRecordsOfRepeatsHaveFilesOfTheirOwn(t *testing.T) {
	dir, r := t.TempDir(), aRecord(t)
	first, err := r.Write(dir)
	require.NoError(t, err)
	r.Start = r.Start.Add(1)
	second, err := r.Write(dir)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
}

func TestRecordsAreReadIntoBoundedMemory(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big.json")
	require.NoError(t, os.WriteFile(big, nil, 0o666))
	require.NoError(t, os.Truncate(big, 4<<30)) // takes no room on the disk
	_, err := Read(big)
	assert.EqualError(t, err, big+" has 4294967296 bytes: more than 64 MiB are not read")
}

// TestNamesOfFiles: every common system can hold them, also with what stands before them
// while they are written, and loadmerge knows them again.
func TestNamesOfFiles(t *testing.T) {
	for _, c := range []struct{ about, benchmark, want string }{
		{"a slash separates directories", "BenchmarkEcho/size=1KiB", "Echo,size=1KiB,"},
		{"Windows has a meaning for a colon and others", "BenchmarkX/a=b:c*d?e\"f<g>h|i", "X,a=b-c_d_e_f_g_h_i,"},
		{"no name leads out of the directory", `Benchmark/../..\etc/x`, ",..,..,etc,x,"},
		{"none is hidden", "Benchmark.x", "_.x,"},
		{"a benchmark may have no name of its own", "Benchmark", "_,"},
		{"a long name is cut", "Benchmark" + strings.Repeat("x", 900), strings.Repeat("x", 141) + "~"},
		{"by bytes, between characters of three", "Benchmark" + strings.Repeat("負荷試験", 50), strings.Repeat("負荷試験", 11) + "負荷試~"},
		{"and of four", "Benchmark" + strings.Repeat("📈", 100), strings.Repeat("📈", 35) + "~"},
	} {
		dir, r := t.TempDir(), aRecord(t)
		r.Benchmark, r.Rank, r.Ranks = c.benchmark, bounds.Ranks-1, bounds.Ranks
		path, err := r.Write(dir)
		require.NoError(t, err, c.about)
		name := filepath.Base(path)
		assert.True(t, strings.HasPrefix(name, c.want), "%s: %s", c.about, name)
		assert.Equal(t, dir, filepath.Dir(path), c.about)
		assert.LessOrEqual(t, len(".part-4294967295-"+name), portable.Most, c.about)
		assert.Equal(t, name, portable.Name(name, portable.Most), "%s: it is portable", c.about)
		assert.True(t, bounds.IsFile(name), c.about)
		read, err := Read(path)
		require.NoError(t, err, c.about)
		assert.Equal(t, c.benchmark, read.Benchmark)
	}
	for _, other := range []string{"notes.json", ".part-7-X,20260102T030405.000000000,0-of-1.json", "X,20260102T030405.000000000,0-of-1.json.orig", "X,2026,0-of-1.json"} {
		assert.False(t, bounds.IsFile(other), other)
	}
}

// TestARecordIsWrittenWhole, with the mode of any new file, or not at all.
func TestARecordIsWrittenWhole(t *testing.T) {
	dir, r := t.TempDir(), aRecord(t)
	path, err := r.Write(dir)
	require.NoError(t, err)
	usual := filepath.Join(t.TempDir(), "usual")
	require.NoError(t, os.WriteFile(usual, nil, 0o666))
	want, err := os.Stat(usual)
	require.NoError(t, err)
	got, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, want.Mode(), got.Mode())
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o777)) // no file can be renamed to it
	_, err = r.Write(dir)
	require.Error(t, err)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 1, "no part is left")
	r.Metrics = map[string]float64{"a": math.NaN()}
	_, err = r.Write(t.TempDir())
	assert.EqualError(t, err, `record: its metric "a" is NaN, which is no measurement`)
	_, err = aRecord(t).Write(filepath.Join(usual, "below"))
	assert.ErrorContains(t, err, usual)
}

// many are metrics in JSON.
func many(n int) (list string) {
	for i := range n {
		list += fmt.Sprintf(`"u%d":1,`, i)
	}
	return list
}

func TestBadRecords(t *testing.T) {
	path, err := aRecord(t).Write(t.TempDir())
	require.NoError(t, err)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, c := range map[string]struct{ text, want string }{
		"a file that was cut off is no record":   {string(whole[:len(whole)/2]), "unexpected end"},
		"nor is an empty one":                    {"", "unexpected end"},
		"nor one of something else":              {"{}\n", "the name of the run or of the benchmark is missing"},
		"a rank is below the ranks":              {strings.Replace(string(whole), `"rank":0`, `"rank":1`, 1), "rank 1 among 1"},
		"the result's counts must add up":        {strings.Replace(string(whole), `"ok":100`, `"ok":99`, 1), "sent is not ok + failed"},
		"a record without a result is of no use": {`{"run":"r","name":"n","size":1}` + "\n", "without a result"},
		"a histogram must be one":                {strings.Replace(string(whole), `"response":"`, `"response":"x`, 1), "bad histogram"},
		"benchstat would not see another line":   {strings.Replace(string(whole), "BenchmarkEcho", "Echo", 1), "that of a benchmark line"},
		"no run has so many agents":              {strings.Replace(string(whole), `"size":1`, `"size":2000000000`, 1), "2000000000 ranks: at most 100000"},
		"a metric is no measurement below 0":     {strings.Replace(string(whole), `"metrics":{`, `"metrics":{"a":-1,`, 1), `its metric "a" is -1, which is no measurement`},
		"a key of the config is no result line":  {strings.Replace(string(whole), `"config":{`, `"config":{"Benchmark 1 1 ns/op":"",`, 1), `the key "Benchmark 1 1 ns/op" of its config`},
		"nor a line break":                       {strings.Replace(string(whole), `"config":{`, `"config":{"a\nb":"",`, 1), `the key "a\nb" of its config`},
		"nor an escape":                          {strings.Replace(string(whole), `"config":{`, `"config":{"a\u001bb":"",`, 1), `the key "a\x1bb" of its config`},
		"a name has no escape":                   {strings.Replace(string(whole), "BenchmarkEcho", `BenchmarkEcho\u001b`, 1), `the name "BenchmarkEcho\x1b`},
		"nor a space of another kind":            {strings.Replace(string(whole), "BenchmarkEcho", `BenchmarkEcho\u00a0`, 1), "that of a benchmark line"},
		"a run has a short name":                 {strings.Replace(string(whole), `"run":"r"`, `"run":"`+strings.Repeat("r", 257)+`"`, 1), "has 257 bytes: at most 256"},
		"so has a benchmark":                     {strings.Replace(string(whole), "BenchmarkEcho", "BenchmarkEcho"+strings.Repeat("é", 1000), 1), "at most 1000"},
		"a key is short":                         {strings.Replace(string(whole), `"config":{`, `"config":{"`+strings.Repeat("a", 1001)+`":"",`, 1), "is too long: 1001 and 0 bytes"},
		"a value is no book":                     {strings.Replace(string(whole), `"config":{`, `"config":{"a":"`+strings.Repeat("a", 1<<16+1)+`",`, 1), "is too long: 1 and 65537 bytes"},
		"nor is a unit":                          {strings.Replace(string(whole), `"metrics":{`, `"metrics":{"`+strings.Repeat("a", 1001)+`":1,`, 1), "of 1001 bytes is too long"},
		"metrics are not thousands":              {strings.Replace(string(whole), `"metrics":{`, `"metrics":{`+many(1001), 1), "1002 entries of its config or metrics: at most 1000"},
		"a mean is that of the histogram":        {strings.Replace(string(whole), `"mean_ns":`, `"mean_ns":7`, 1), "its mean, median and maximum are 7"},
		"an interval has no calls below 0":       {strings.Replace(string(whole), `"ok":100,"failed":0,"p50_ns"`, `"ok":-5,"failed":0,"p50_ns"`, 1), "whose interval at 0s has -5 calls ok"},
		"nor has it more than the run":           {strings.Replace(string(whole), `"ok":100,"failed":0,"p50_ns"`, `"ok":1152921504606846976,"failed":0,"p50_ns"`, 1), "1152921504606846976 calls ok"},
		"no quantile is 2":                       {strings.Replace(string(whole), `"series":`, `"confidence":[{"quantile":2,"low_ns":0,"high_ns":0}],"series":`, 1), "the interval of a quantile 2"},
		"NaN is no JSON":                         {strings.Replace(string(whole), `"metrics":{`, `"metrics":{"a":NaN,`, 1), "invalid character 'N'"},
		"a later format is for a later version":  {strings.Replace(string(whole), `"format":1}`+"\n", `"format":2}`+"\n", 1), "record: it is of format 2: this version reads format 1 and older ones"},
		"so is that of a result":                 {strings.Replace(string(whole), `"result":{"format":1`, `"result":{"format":2`, 1), "loadgen: a result of format 2"},
		"without its last byte it was cut off":   {strings.TrimSuffix(string(whole), "\n"), "cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := filepath.Join(t.TempDir(), "bad.json")
			require.NoError(t, os.WriteFile(bad, []byte(c.text), 0o666))
			_, err := Read(bad)
			require.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, bad)
		})
	}
}
