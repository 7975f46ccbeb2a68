package record

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/folder"
)

func TestReadDir(t *testing.T) {
	list, _, err := readDir("../testdata/records")
	require.NoError(t, err)
	require.Len(t, list, 8)
	for _, r := range list {
		assert.Contains(t, r.Name, "BenchmarkEcho/framework=")
		assert.InEpsilon(t, r.P50, float64(r.Response.ValueAtQuantile(50)), .01, "the histogram is that of the line, in ns")
	}
}

// encoded is a histogram of a value, as a record has it.
func encoded(t testing.TB, highest, value, n int64) string {
	h := hdrhistogram.New(1, highest, 3)
	if n > 0 {
		require.NoError(t, h.RecordValues(value, n))
	}
	text, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	require.NoError(t, err)
	return string(text)
}

// in writes a file into a new directory.
func in(t testing.TB, name, text string) (dir string) {
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	return dir
}

// TestEveryFieldIsItsOwn: of all that a record has no two values are equal.
func TestEveryFieldIsItsOwn(t *testing.T) {
	text, err := json.Marshal(map[string]any{
		"run": "r", "name": "BenchmarkEcho/framework=a", "median_ns": 11, "size": 21, "start": "2026-01-02T03:04:05Z", "metrics": map[string]float64{"p50-ns": 7, "p99-ns": 9, "mean-ns": 8},
		"result": map[string]any{
			"response": encoded(t, maxLatency, 100, 3), "service": encoded(t, maxLatency, 200, 5), "lag": encoded(t, maxLatency, 300, 7),
			"errors": encoded(t, maxLatency, 400, 9), "warnings": []string{"late\x1b[2J", "full"},
			"closed": true, "elapsed_ns": 12, "due": 13, "sent": 14, "ok": 15, "failed": 16, "dropped": 17, "error_kinds": []any{map[string]any{"text": "a\nb", "count": 18}},
			"confidence": []any{map[string]float64{"quantile": .5, "low_ns": 27, "high_ns": 28}},
			"parts":      []any{map[string]any{"name": "a\nb", "result": map[string]any{"sent": 29, "response": encoded(t, maxLatency, 500, 2)}}},
			"series":     []any{map[string]int{"start_ns": 19, "length_ns": 26, "ok": 20, "failed": 22, "p50_ns": 23, "p99_ns": 24, "max_ns": 25}},
		},
	})
	require.NoError(t, err)
	list, _, err := readDir(in(t, "a.json", string(text)))
	require.NoError(t, err)
	require.Len(t, list, 1)
	r := list[0]
	assert.Equal(t, "BenchmarkEcho/framework=a", r.Name)
	assert.Equal(t, 7., r.P50)
	assert.Equal(t, []string{`late\x1b[2J`, "full"}, r.Warnings, "without commands to a terminal")
	assert.EqualValues(t, 3, r.Response.TotalCount())
	assert.EqualValues(t, 100, r.Response.Max())
	assert.Equal(t, Counts{Closed: true, Elapsed: 12, Due: 13, Sent: 14, OK: 15, Failed: 16, Dropped: 17, Series: []Point{{19, 26, 20, 22, 23, 24, 25}}}, r.Counts)
	assert.Equal(t, []string{`18 × a\nb`}, r.Failures)
	assert.Equal(t, 21, r.Ranks)
	assert.Equal(t, []Interval{{.5, 27, 28}}, r.Known)
	require.Len(t, r.Parts, 1)
	part := r.Parts[0]
	assert.Equal(t, []any{r.File, r.Name, `a\nb`, r.Start, int64(29), int64(2)}, []any{part.File, part.Name, part.Part, part.Start, part.Sent, part.Response.TotalCount()})
	assert.Equal(t, "03:04:05", r.Start.Format(time.TimeOnly))
	assert.Equal(t, map[string]float64{"p50-ns": 7, "p99-ns": 9, "mean-ns": 8}, r.Metrics)
}

func TestARunWithoutCallsIsLeftOut(t *testing.T) {
	for about, response := range map[string]string{"no histogram": "", "an empty one": encoded(t, maxLatency, 0, 0)} {
		dir := in(t, "a.json", `{"run":"r","name":"n","result":{"response":"`+response+`"}}`)
		_, _, err := readDir(dir)
		assert.EqualError(t, err, "-results="+dir+": no records there; the suites write them with their flag -results", about)
		text := `{"run":"r","name":"n","result":{"response":"` + encoded(t, maxLatency, 5, 1) + `"}}`
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b.json"), []byte(text), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("no record"), 0o666))
		list, _, err := readDir(dir)
		require.NoError(t, err, about)
		assert.Len(t, list, 1, about)
		assert.True(t, math.IsNaN(list[0].P50), "a record without metrics is of no line")
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	good := encoded(t, maxLatency, 5, 1)
	for name, c := range map[string]struct{ text, say string }{
		"an empty file":                {"", "it is empty: the run that was to write it may have failed"},
		"other JSON":                   {"{}", "not a record: run, name or result is missing"},
		"no run":                       {`{"name":"n","result":{}}`, "not a record: run, name or result is missing"},
		"no name":                      {`{"run":"r","result":{}}`, "not a record: run, name or result is missing"},
		"no result":                    {`{"run":"r","name":"n"}`, "not a record: run, name or result is missing"},
		"a histogram that is not":      {`{"run":"r","name":"n","result":{"response":"xyz"}}`, "its response histogram: "},
		"half of one":                  {`{"run":"r","name":"n","result":{"response":"` + good[:len(good)/2] + `"}}`, "its response histogram: "},
		"another range":                {`{"run":"r","name":"n","result":{"response":"` + encoded(t, 1e6, 5, 1) + `"}}`, "its response histogram: from 1 to 1000000 in 3 digits: only 1 to 1099511627775 in 3 digits can be read"},
		"half a file":                  {`{"run":"r","name":"n","resu`, "not a record: unexpected end"},
		"a depth without end":          {`{"run":` + strings.Repeat("[", 1<<20), "not a record: "},
		"more parts than are measured": {`{"run":"r","name":"n","result":{"parts":[{}` + strings.Repeat(",{}", maxParts) + `]}}`, "its result has 257 parts: at most 256 are read"},
		"a part that is empty":         {`{"run":"r","name":"n","result":{"parts":[{"name":"p"}]}}`, `its part "p" has no result`},
		"a part's histogram":           {`{"run":"r","name":"n","result":{"parts":[{"name":"p","result":{"response":"xyz"}}]}}`, `its part "p": its response histogram: `},
		"a result that is not one":     {`{"max_backlog":1,"response":7}`, "not a record: json: cannot unmarshal number"},
		"a name and a result's keys":   {`{"name":"n","max_backlog":1}`, "not a record: run, name or result is missing; a record is what loadgen's package record writes, or a *loadgen.Result in JSON"},
		"a later format":               {`{"run":"r","name":"n","format":2,"result":{}}`, "not a record: it is of format 2: this program reads format 1 and older ones"},
		"a result of a later format":   {`{"run":"r","name":"n","result":{"format":2}}`, "not a record: it is of format 2"},
		"a later result alone":         {`{"format":2,"max_backlog":1}`, "not a record: it is of format 2"},
		"NaN":                          {`{"run":"r","name":"n","metrics":{"p50-ns":NaN},"result":{}}`, "not a record: invalid character 'N'"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := in(t, "x.json", c.text)
			_, _, err := readDir(dir)
			assert.ErrorContains(t, err, filepath.Join(dir, "x.json")+": "+c.say)
		})
	}
}

func TestRecordsAreBounded(t *testing.T) {
	dir := in(t, "x.json", "{}")
	require.NoError(t, os.Truncate(filepath.Join(dir, "x.json"), maxFile+1))
	_, _, err := readDir(dir)
	assert.EqualError(t, err, filepath.Join(dir, "x.json")+" has 67108865 bytes: more than 64 MiB are not read")
	_, _, err = readDir(filepath.Join(dir, "gone"))
	assert.ErrorContains(t, err, "-results: open "+filepath.Join(dir, "gone"))
}

// TestFilesOfOthersAreLeftOut, which file managers and editors leave in any directory; what is
// damaged is an error all the same.
func TestFilesOfOthersAreLeftOut(t *testing.T) {
	dir := in(t, "a.json", `{"run":"r","name":"n","result":{"response":"`+encoded(t, maxLatency, 5, 1)+`"}}`)
	for _, name := range []string{"._a.json", ".part-7-a.json", ".DS_Store", "a.json~"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("\x00\x05\x16\x07"), 0o666))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "b.json"), 0o777))
	list, others, err := readDir(dir)
	require.NoError(t, err)
	assert.Len(t, list, 1)
	assert.Equal(t, folder.Others{Number: 5, One: filepath.Join(dir, ".DS_Store")}, others)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.json"), []byte("\x00"), 0o666))
	_, _, err = readDir(dir)
	assert.ErrorContains(t, err, filepath.Join(dir, "c.json")+": not a record: ")
}

// FuzzRead gives a record of any text: there is an error or a record that can be drawn.
func FuzzRead(f *testing.F) {
	for _, response := range []string{"", "HISTFAAAAAA=", encoded(f, maxLatency, 5, 1), encoded(f, maxLatency, 0, 0), encoded(f, 1e6, 5, 1)} {
		f.Add([]byte(`{"run":"r","name":"n","metrics":{"p50-ns":7},"result":{"response":"` + response + `","warnings":["w"]}}`))
	}
	f.Add([]byte(`{"run":1e999}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parse("a.json", text)
		if err == nil && r.Response != nil {
			assert.Positive(t, r.Response.TotalCount())
			_, _, err := Text([]Record{r})
			assert.True(t, err == nil || r.Ranks > 1, err)
		}
	})
}

// TestResultsAlone are named by their files, with the directories where several have one name.
func TestResultsAlone(t *testing.T) {
	text := `{"sent":3,"max_backlog":0,"response":"` + encoded(t, maxLatency, 5, 3) + `","parts":[{"name":"p","result":{"sent":2}}]}`
	one, two := in(t, "shop.json", text), in(t, "shop.json", text)
	for _, c := range []struct {
		about   string
		results string
		files   []string
		names   []string
	}{
		{"a file", "", []string{one + "/shop.json"}, []string{"shop"}},
		{"as -results", one + "/shop.json", nil, []string{"shop"}},
		{"a directory as -results", one, nil, []string{"shop"}},
		{"two of one name", "", []string{one + "/shop.json", two + "/shop.json"}, []string{one + "/shop", two + "/shop"}},
	} {
		list, _, err := Read(c.results, c.files)
		require.NoError(t, err, c.about)
		var names []string
		for _, r := range list {
			names = append(names, r.Name)
			assert.Equal(t, "p of "+r.Name, r.Parts[0].Short(), c.about)
		}
		assert.Equal(t, c.names, names, c.about)
	}
	empty := in(t, "empty.json", `{"sent":0,"max_backlog":0}`)
	_, _, err := Read("", []string{empty + "/empty.json"})
	assert.EqualError(t, err, empty+"/empty.json: no call was made in its run")
}
