package loadgen

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResultsKeepEverythingInJSON(t *testing.T) {
	results := exported(t)
	results["zero"] = &Result{}
	for name, res := range results {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(res)
			require.NoError(t, err)
			read := Result{Closed: true, Series: []Point{{}, {}}}
			read.Response.Merge(everyBucket())
			require.NoError(t, json.Unmarshal(data, &read))
			sameResult(t, res, &read)
		})
	}
}

// TestAResultInsideAnotherStruct is written in the same way as a Result alone: its
// histograms are addressable.
func TestAResultInsideAnotherStruct(t *testing.T) {
	var file struct{ Result Result }
	file.Result.Lag.Record(1, 3)
	data, err := json.Marshal(&file)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"lag":"HISTF`)
}

func TestKeysInJSON(t *testing.T) {
	res := &Result{
		Closed: true, Elapsed: time.Second, Due: 6, Sent: 3, OK: 2, Failed: 1, Dropped: 3, MaxBacklog: 7, MaxLag: 8,
		ErrorKinds: []ErrorKind{{"bad", 1}}, Warnings: []error{errors.New("slow")},
		Series: []Point{{Start: 1, Length: time.Second / 2, OK: 2, Failed: 1, P50: 4, P90: 5, P99: 5, Max: 6}, {Start: 2}},
	}
	data, err := json.Marshal(res)
	require.NoError(t, err)
	assert.JSONEq(t, `{"format":1,"closed":true,"elapsed_ns":1000000000,"due":6,"sent":3,"ok":2,"failed":1,"dropped":3,
		"error_kinds":[{"text":"bad","count":1}],"max_backlog":7,"max_lag_ns":8,
		"series":[{"start_ns":1,"length_ns":500000000,"ok":2,"failed":1,"p50_ns":4,"p90_ns":5,"p99_ns":5,"max_ns":6,"ok_per_s":4,"failed_per_s":2},{"start_ns":2,"ok":0,"failed":0}],
		"warnings":["slow"],"summary":{"goodput_per_s":2,"error_ratio":0.3333333333333333}}`, string(data))
	res.Response.Record(1, 3)
	data, err = json.Marshal(res)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"response":"HISTF`)
}

// TestSummary: the figures are of the histograms, and a percentile needs enough calls.
func TestSummary(t *testing.T) {
	var figures struct {
		Summary struct {
			Offered                        float64 `json:"offered_per_s"`
			Ratio                          float64 `json:"error_ratio"`
			Response, Service, Lag, Errors map[string]int64
		}
		Parts []struct {
			Result struct{ Summary map[string]any }
		}
		Series []struct {
			OK, Failed float64
			OKRate     float64 `json:"ok_per_s"`
			FailedRate float64 `json:"failed_per_s"`
		}
	}
	res := fakeMix(t, shop(map[string]int64{}), Config{Workers: 50, Schedule: Constant(1000), Calls: 3000, Interval: time.Second / 2})
	data, err := json.Marshal(res)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &figures))
	s := figures.Summary
	assert.InDelta(t, 1000, s.Offered, 2)
	assert.InDelta(t, .1, s.Ratio, .02)
	assert.EqualValues(t, res.Response.Quantile(.99), s.Response["p99_ns"])
	assert.EqualValues(t, res.Service.Mean(), s.Service["mean_ns"])
	assert.EqualValues(t, res.Errors.Min(), s.Errors["min_ns"])
	assert.Contains(t, s.Errors, "p95_ns", "of some 300 calls 15 took longer")
	assert.NotContains(t, s.Errors, "p99_ns")
	assert.NotContains(t, s.Response, "p99_9_ns")
	assert.Contains(t, s.Lag, "p99_ns", "a lag of 0 is one")
	require.Len(t, figures.Parts, 3)
	assert.Contains(t, figures.Parts[0].Result.Summary, "goodput_per_s")
	for _, p := range figures.Series[:6] {
		assert.Equal(t, []float64{2 * p.OK, 2 * p.Failed}, []float64{p.OKRate, p.FailedRate})
	}
	lies := strings.Replace(string(data), `"summary":{`, `"summary":{"goodput_per_s":-1,"x":[],`, 1)
	lies = strings.Replace(lies, `"ok_per_s":`, `"ok_per_s":9`, 1)
	var read Result
	require.NoError(t, json.Unmarshal([]byte(lies), &read), "what can be computed is not read")
	sameResult(t, res, &read)
}

// TestAResultByValue is written without a summary, and its histograms by nobody.
func TestAResultByValue(t *testing.T) {
	res := goodResult()
	data, err := json.Marshal(reflect.ValueOf(res).Elem().Interface())
	require.NoError(t, err)
	assert.Contains(t, string(data), `"response":{}`)
	assert.NotContains(t, string(data), "summary")
}

// TestLengths: all intervals of a run are as long, but for the last.
func TestLengths(t *testing.T) {
	var heard []time.Duration
	res, err := fake(t, Config{
		Workers: 3, Schedule: Constant(10), Duration: 2250 * time.Millisecond, Warmup: time.Second,
		OnProgress: func(p Progress) error { heard = append(heard, p.Last.Length); return nil },
	}, service(time.Millisecond))
	require.NoError(t, err)
	var lengths []time.Duration
	for _, p := range res.Series {
		lengths = append(lengths, p.Length)
	}
	assert.Equal(t, []time.Duration{time.Second, time.Second, 201 * time.Millisecond}, lengths)
	assert.Equal(t, lengths, heard)
}

func TestBadJSON(t *testing.T) {
	for _, c := range []struct{ json, say string }{
		{`{"response":`, "unexpected end"},
		{`[]`, "cannot unmarshal"},
		{`{"response":3}`, "cannot unmarshal number"},
		{`{"warnings":[{}]}`, "cannot unmarshal object"},
		{`{"series":[{"start_ns":"0s"}]}`, "cannot unmarshal string"},
		{`{"due":9999999999999999999}`, "cannot unmarshal number"},
		{`{"due":-1,"dropped":-1}`, "not from 0"},
		{`{"due":281474976710657,"dropped":281474976710657}`, "not from 0"},
		{`{"format":2}`, "loadgen: a result of format 2: this version reads format 1 and older ones"},
		{`{"due":1}`, "due not sent + dropped"},
		{`{"due":1,"sent":1}`, "sent is not ok + failed"},
		{`{"due":1,"sent":1,"ok":1}`, "do not hold the calls"},
	} {
		res := &Result{Elapsed: 5}
		assert.ErrorContains(t, json.Unmarshal([]byte(c.json), res), c.say)
		assert.Equal(t, &Result{Elapsed: 5}, res, "it stays as it was")
	}
}

// goodResult is of a run in which 10 calls were made. One of them did not return.
func goodResult() *Result {
	r := &Result{Elapsed: time.Second, Due: 12, Sent: 10, OK: 7, Failed: 3, Dropped: 2, ErrorKinds: []ErrorKind{{"a", 2}, {"b", 1}}}
	r.Response.Record(time.Millisecond, 10)
	r.Errors.Record(time.Millisecond, 3)
	r.Service.Record(time.Millisecond, 9)
	r.Lag.Record(0, 9)
	return r
}

// TestResultsThatNoRunHas: what is added up, merged and divided must have been measured.
func TestResultsThatNoRunHas(t *testing.T) {
	require.NoError(t, goodResult().check(), "one call did not return")
	for _, c := range []struct {
		say   string
		spoil func(r *Result)
	}{
		{"the service times of 0 calls, of which 10 were sent and 7 succeeded", func(r *Result) { r.Service = Histogram{}; r.Lag = Histogram{} }},
		{"the service times of 11 calls", func(r *Result) { r.Service.Record(1, 2); r.Lag.Record(1, 2) }},
		{"with the lags of 0 calls, of which 9 returned", func(r *Result) { r.Lag = Histogram{} }},
		{"of a closed loop with lags", func(r *Result) { r.Closed = true }},
		{"with 10 calls in no time", func(r *Result) { r.Elapsed = 0 }},
		{"a negative time or backlog", func(r *Result) { r.Elapsed = -1 }},
		{"a negative time or backlog", func(r *Result) { r.MaxLag = -1 }},
		{"a negative time or backlog", func(r *Result) { r.MaxBacklog = -1 }},
		{"calls took 1.000447ms and longer in a run of 1ns", func(r *Result) { r.Elapsed = 1 }},
		{"3 calls failed, and the kinds of 2 are known", func(r *Result) { r.ErrorKinds = r.ErrorKinds[:1] }},
		{`with 2 calls that failed by "b", of 3 that failed`, func(r *Result) { r.ErrorKinds[1].Count = 2 }},
		{`with 0 calls that failed by "b", of 3 that failed`, func(r *Result) { r.ErrorKinds[1].Count = 0 }},
		{`with -1 calls that failed by "a"`, func(r *Result) { r.ErrorKinds[0].Count = -1 }},
	} {
		r := goodResult()
		c.spoil(r)
		assert.ErrorContains(t, r.check(), c.say)
	}
	r := goodResult()
	r.Elapsed = time.Millisecond
	assert.NoError(t, r.check(), "what a histogram rounds up is no longer than the run")
}

// TestWhatNoSeriesHas, nor any Confidence: what Run and Merge make sure of is checked in what
// is read. Each field in turn is what it cannot be.
func TestWhatNoSeriesHas(t *testing.T) {
	good := func() *Result {
		r := &Result{
			Elapsed: 2500 * time.Millisecond, Due: 30, Sent: 30, OK: 27, Failed: 3, ErrorKinds: []ErrorKind{{"a", 3}}, MaxAt: time.Second,
			Series: []Point{
				{Start: 0, Length: time.Second, OK: 9, Failed: 1, P50: bucket.High(bucket.Of(time.Millisecond)), P99: bucket.High(bucket.Of(9 * time.Millisecond)), Max: bucket.High(bucket.Of(9 * time.Millisecond))},
				{Start: time.Second},
				{Start: 2 * time.Second, OK: 18, Failed: 2, Max: bucket.High(bucket.Of(9 * time.Millisecond))}, // merged
			},
			Confidence: []Confidence{{.5, time.Millisecond, 2 * time.Millisecond}, {.99, 8 * time.Millisecond, 9 * time.Millisecond}},
		}
		for _, h := range []*Histogram{&r.Response, &r.Service} {
			h.Record(time.Millisecond, 20)
			h.Record(9*time.Millisecond, 10)
		}
		r.Errors.Record(time.Millisecond, 3)
		r.Lag.Record(0, 30)
		return r
	}
	require.NoError(t, good().check())
	for _, c := range []struct {
		say   string
		spoil func(r *Result)
	}{
		{"whose interval at 0s has -5 calls ok", func(r *Result) { r.Series[0].OK = -5 }},
		{"whose interval at 2s has 1152921504606846976 calls ok", func(r *Result) { r.Series[2].OK = 1 << 60 }},
		{"whose interval at 0s has 9 calls ok and -1 failed", func(r *Result) { r.Series[0].Failed = -1 }},
		{"has 18 calls ok and 3 failed, of 27 and 3 in all", func(r *Result) { r.Series[2].Failed = 3 }},
		{"9223372036854775807 failed", func(r *Result) { r.Series[2].Failed = 1<<63 - 1 }},
		{"intervals have 26 calls ok and 3 failed, of 27 and 3", func(r *Result) { r.Series[2].OK = 17 }},
		{"intervals have 9 calls ok and 1 failed", func(r *Result) { r.Series = r.Series[:1] }},
		{"an interval at -1ns after", func(r *Result) { r.Series[0].Start = -1 }},
		{"an interval at 0s after one at 0s", func(r *Result) { r.Series[1].Start = 0 }},
		{"an interval at 1s after one at 1s", func(r *Result) { r.Series[2].Start = time.Second }},
		{"an interval at 10m0s after one at 1s, in a run of 2.5s", func(r *Result) { r.Series[2].Start = 10 * time.Minute }},
		{"at 0s is -1ns long", func(r *Result) { r.Series[0].Length = -1 }},
		{"at 2s is 1h0m0s long: at most 1m0s", func(r *Result) { r.Series[2].Length = time.Hour }},
		{"a p90 of 1ns and a p99 of 9", func(r *Result) { r.Series[0].P90 = 1 }},
		{"a p90 of 1s and a p99 of 9", func(r *Result) { r.Series[0].P90 = time.Second }},
		{"a p50 of -1ns", func(r *Result) { r.Series[0].P50 = -1 }},
		{"a p50 of 1s, a p99 of 9", func(r *Result) { r.Series[0].P50 = time.Second }},
		{"a p99 of 1s and a maximum of 9", func(r *Result) { r.Series[0].P99 = time.Second }},
		{"a maximum of -1ns", func(r *Result) { r.Series[2].Max = -1 }},
		{"a maximum of 1ns, of 0 calls", func(r *Result) { r.Series[1].Max = 1 }},
		{"longest call took 9.003007ms, and 1s in its intervals", func(r *Result) { r.Series[2].Max = time.Second }},
		{"the interval of a quantile 2", func(r *Result) { r.Confidence[0].Quantile = 2 }},
		{"the interval of a quantile 0", func(r *Result) { r.Confidence[0].Quantile = 0 }},
		{"the interval of a quantile -0.5", func(r *Result) { r.Confidence[0].Quantile = -.5 }},
		{"of a quantile 0.99, which is not between 0 and 1, or stands twice", func(r *Result) { r.Confidence[0].Quantile = .99 }},
		{"whose p50 is between -1ns and 2ms", func(r *Result) { r.Confidence[0].Low = -1 }},
		{"whose p50 is between 3ms and 2ms", func(r *Result) { r.Confidence[0].Low = 3 * time.Millisecond }},
		{"whose p99 is between 8ms and 10ms, and whose longest call took 9", func(r *Result) { r.Confidence[1].High = 10 * time.Millisecond }},
		{"longest call ended at -1ns", func(r *Result) { r.MaxAt = -1 }},
		{"longest call ended at 3s in a run of 2.5s", func(r *Result) { r.MaxAt = 3 * time.Second }},
		{"failed calls took other times than all of its calls", func(r *Result) { r.Errors = Histogram{}; r.Errors.Record(2*time.Millisecond, 3) }},
		{"a service of 1.00034", func(r *Result) { r.Service = Histogram{}; r.Service.Record(time.Second, 30) }},
		{"with 31 calls that were blocked, of 30", func(r *Result) { r.Blocked.Record(1, 31) }},
		{"a backlog of more than", func(r *Result) { r.MaxBacklog = 1 << 62 }},
		{"closed loop with calls that were late", func(r *Result) { r.Closed, r.Lag, r.MaxLag = true, Histogram{}, 1 }},
		{"the interval of a quantile 3", func(r *Result) { r.Parts = []Part{{"b", &Result{Confidence: []Confidence{{3, 0, 0}}}}} }},
		{"intervals have 0 calls ok and 0 failed, of 27 and 3", func(r *Result) { p := good(); p.Series = p.Series[1:2]; r.Parts = []Part{{"b", p}} }},
		{`part "b" has an interval at 1ns that the whole has not`, func(r *Result) { r.Parts = []Part{{"b", &Result{Series: []Point{{Start: 1}}}}} }},
		{`part "b" has an interval at 0s that the whole has not`, func(r *Result) { r.Series = nil; r.Parts = []Part{{"b", &Result{Series: []Point{{}}}}} }},
		{"more calls in the interval at 0s than the whole", func(r *Result) {
			p := good()
			p.Series[0].OK, p.Series[2].OK = 10, 17
			r.Parts = []Part{{"b", p}}
		}},
		{`part "b" took longer than the whole`, func(r *Result) { r.Parts = []Part{{"b", &Result{Elapsed: time.Hour}}} }},
		{"a part whose name has 300 bytes: at most 256", func(r *Result) { r.Parts = []Part{{strings.Repeat("x", 300), &Result{}}} }},
	} {
		r := good()
		c.spoil(r)
		data, err := json.Marshal(r)
		require.NoError(t, err)
		err = json.Unmarshal(data, new(Result))
		require.ErrorContains(t, err, c.say)
		assert.NotContains(t, err.Error(), "\n", "one sentence")
	}
	part := `{"name":"%d","result":{}},`
	list := strings.Repeat(part, maxParts+1)
	assert.ErrorContains(t, json.Unmarshal([]byte(`{"parts":[`+strings.TrimSuffix(list, ",")+`]}`), new(Result)), "257 parts: at most 256")
}

// TestTextsOfOthersStayInTheirLine: an error of a callee is printed beside results.
func TestTextsOfOthersStayInTheirLine(t *testing.T) {
	const forged = "down\nBenchmarkEcho 1 1 ns/op\x1b[2J"
	r := &Result{Sent: 2, Failed: 2, ErrorKinds: []ErrorKind{{forged, 2}}, Warnings: []error{errors.New(forged)}}
	assert.Equal(t, `2 × down\nBenchmarkEcho 1 1 ns/op\x1b[2J`, r.Failures())
	assert.Contains(t, r.String(), "failed calls:\n  2 × down\\nBenchmarkEcho 1 1 ns/op\\x1b[2J\nwarnings:\n  down BenchmarkEcho 1 1 ns/op\\x1b[2J")
	assert.NotContains(t, r.String(), "\nBenchmark")
	assert.NotContains(t, r.String(), "\x1b")
}

// seeds returns results for fuzzing. They are built without fake time, which fuzzing
// does not have.
func seeds(f *testing.F) []*Result {
	results := []*Result{{}}
	for _, s := range []Schedule{ClosedLoop, Constant(500)} {
		res, err := Run(f.Context(), Config{Workers: 1, Calls: 20, Schedule: s, Interval: 50 * time.Millisecond}, faulty())
		require.NoError(f, err)
		results = append(results, res)
	}
	return results
}

// FuzzUnmarshalJSON: whatever is read can be written and read again, merged
// and printed.
func FuzzUnmarshalJSON(f *testing.F) {
	for _, res := range seeds(f) {
		data, err := json.Marshal(res)
		require.NoError(f, err)
		f.Add(data)
	}
	for text := range badHistograms() {
		f.Add([]byte(`{"lag":"` + text + `"}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var res, again, sum Result
		if json.Unmarshal(data, &res) != nil {
			return
		}
		data, err := json.Marshal(&res)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &again))
		sameResult(t, &res, &again)
		if res.Due > maxCount/2 {
			return // it cannot be merged with another
		}
		require.NoError(t, sum.Merge(&res))
		require.NoError(t, sum.Merge(&again))
		assert.Equal(t, sum.Due, sum.OK+sum.Failed+sum.Dropped)
		assert.NotEmpty(t, res.String())
	})
}
