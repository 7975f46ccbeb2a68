package loadgen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func aRecord(t *testing.T) *Record {
	t.Helper()
	res, err := Run(context.Background(), Config{Workers: 2, Schedule: ClosedLoop, Calls: 100}, func(context.Context, int) error { return nil })
	require.NoError(t, err)
	return &Record{
		Run: "r", Name: "BenchmarkEcho/framework=a/size=1KiB", Size: 1, Start: time.Now().Truncate(0),
		Config: map[string]string{"go": "go1.26"}, Metrics: map[string]float64{"calls/s": 1}, Result: res,
	}
}

func TestRecordIsReadAsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	want := aRecord(t)
	path, err := want.WriteFile(dir)
	require.NoError(t, err)
	got, err := ReadRecord(path)
	require.NoError(t, err)
	assert.True(t, want.Start.Equal(got.Start))
	got.Start = want.Start
	assert.Equal(t, want.Result.Response, got.Result.Response)
	assert.Equal(t, want.Median, got.Result.Response.Quantile(.5))
	assert.Equal(t, want.Metrics, got.Metrics)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing is left beside the record")
}

func TestRecordsOfRepeatsHaveFilesOfTheirOwn(t *testing.T) {
	dir, r := t.TempDir(), aRecord(t)
	first, err := r.WriteFile(dir)
	require.NoError(t, err)
	r.Start = r.Start.Add(1)
	second, err := r.WriteFile(dir)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
}

func TestBadRecords(t *testing.T) {
	path, err := aRecord(t).WriteFile(t.TempDir())
	require.NoError(t, err)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, c := range map[string]struct{ text, want string }{
		"a file that was cut off is no record":   {string(whole[:len(whole)/2]), "unexpected end"},
		"nor is an empty one":                    {"", "unexpected end"},
		"nor one of something else":              {"{}\n", "without the name"},
		"a rank is one of the size":              {strings.Replace(string(whole), `"rank":0`, `"rank":1`, 1), "rank 1 among 1"},
		"the result's counts must add up":        {strings.Replace(string(whole), `"ok":100`, `"ok":99`, 1), "sent is not ok + failed"},
		"a record without a result is of no use": {`{"run":"r","name":"n","size":1}` + "\n", "without a result"},
		"a histogram must be one":                {strings.Replace(string(whole), `"response":"`, `"response":"x`, 1), "bad histogram"},
		"benchstat would not see another line":   {strings.Replace(string(whole), "BenchmarkEcho", "Echo", 1), "that of a benchmark line"},
		"without its last byte it was cut off":   {strings.TrimSuffix(string(whole), "\n"), "cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := filepath.Join(t.TempDir(), "bad.json")
			require.NoError(t, os.WriteFile(bad, []byte(c.text), 0o666))
			_, err := ReadRecord(bad)
			require.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, bad)
		})
	}
}
