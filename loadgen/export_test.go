package loadgen

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seeds returns results for fuzzing, which has no fake time.
func seeds(f *testing.F) []*Result {
	results := []*Result{{}}
	for _, s := range []Schedule{ClosedLoop, Constant(500)} {
		res, err := Run(f.Context(), Config{Workers: 1, Calls: 20, Schedule: s, Interval: 50 * time.Millisecond}, faulty())
		require.NoError(f, err)
		results = append(results, res)
	}
	return results
}

// everyBucket has another count in each bucket, that of 0 ns included.
func everyBucket() (h Histogram) {
	for i := range numBuckets {
		h.add(i, int64(i*i)%1000*int64(i)+1)
	}
	return h
}

func TestHistogramsKeepEveryBucket(t *testing.T) {
	cases := map[string]Histogram{"every bucket": everyBucket(), "none": {}}
	for name, d := range map[string]time.Duration{"0 ns": 0, "1 ns": 1, "the longest": MaxLatency, "too long": 2 * MaxLatency} {
		var h Histogram
		h.Record(d, 3)
		cases[name] = h
	}
	for name, h := range cases {
		t.Run(name, func(t *testing.T) {
			text, err := h.MarshalText()
			require.NoError(t, err)
			var read Histogram
			read.Record(5, 5)
			require.NoError(t, read.UnmarshalText(text))
			assert.Equal(t, h, read)

			var b bytes.Buffer
			res := &Result{Response: h, Errors: h}
			require.NoError(t, res.WriteLog(&b, time.Time{}))
			log, err := ReadLog(&b)
			require.NoError(t, err)
			assert.Equal(t, &Log{Response: h, Errors: h}, log)
			assert.NoError(t, h.WriteHGRM(io.Discard))
		})
	}
}

func TestResultsKeepEverythingInJSON(t *testing.T) {
	results := exported(t)
	results["zero"] = &Result{}
	for name, res := range results {
		t.Run(name, func(t *testing.T) {
			type file struct{ Result Result } // by value: a pointer's methods would not be called
			data, err := json.Marshal(file{*res})
			require.NoError(t, err)
			read := file{Result{Closed: true, Series: []Point{{}, {}}, Response: everyBucket()}}
			require.NoError(t, json.Unmarshal(data, &read))
			sameResult(t, res, &read.Result)
		})
	}
}

func TestKeysInJSON(t *testing.T) {
	res := Result{
		Closed: true, Elapsed: time.Second, Due: 6, Sent: 3, OK: 2, Failed: 1, Dropped: 3, MaxBacklog: 7, MaxLag: 8,
		ErrorKinds: []ErrorKind{{"bad", 1}}, Warnings: []error{errors.New("slow")},
		Series: []Point{{Start: 1, OK: 2, Failed: 1, P50: 4, P99: 5, Max: 6}, {Start: 2}},
	}
	data, err := json.Marshal(res)
	require.NoError(t, err)
	assert.JSONEq(t, `{"closed":true,"elapsed_ns":1000000000,"due":6,"sent":3,"ok":2,"failed":1,"dropped":3,
		"error_kinds":[{"text":"bad","count":1}],"max_backlog":7,"max_lag_ns":8,
		"series":[{"start_ns":1,"ok":2,"failed":1,"p50_ns":4,"p99_ns":5,"max_ns":6},{"start_ns":2,"ok":0,"failed":0}],
		"warnings":["slow"]}`, string(data))
	res.Response.Record(1, 3)
	data, err = json.Marshal(res)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"response":"HISTF`)
}

// TestHdrHistogramReadsTheLog compares with what hdrhistogram-go's own reader
// makes of it.
func TestHdrHistogramReadsTheLog(t *testing.T) {
	res := exported(t)["failures and drops"]
	var b bytes.Buffer
	start := time.UnixMilli(1_700_000_000_250)
	require.NoError(t, res.WriteLog(&b, start))
	reader := hdrhistogram.NewHistogramLogReader(&b)
	for _, want := range []struct {
		tag string
		Histogram
	}{{"response", res.Response}, {"service", res.Service}, {"lag", res.Lag}, {"errors", res.Errors}} {
		got, err := reader.NextIntervalHistogram()
		require.NoError(t, err)
		assert.Equal(t, want.tag, got.Tag())
		assert.Equal(t, start.UnixMilli(), got.StartTimeMs())
		assert.InDelta(t, start.Add(res.Elapsed).UnixMilli(), got.EndTimeMs(), 1)
		assert.Equal(t, want.Count(), got.TotalCount())
		assert.EqualValues(t, want.Max(), got.Max())
		assert.Equal(t, want.counts, got.Export().Counts)
	}
}

func TestHGRM(t *testing.T) {
	var h Histogram
	h.Record(1500, 3)
	h.Record(44_001, 1)
	var b strings.Builder
	require.NoError(t, h.WriteHGRM(&b))
	for _, line := range []string{
		" Value\tPercentile\tTotalCount\t1/(1-Percentile)\n\n",
		"\n       1.500     0.700000            3         3.33\n",
		"\n      44.031     1.000000            4          inf\n",
		"\n#[Max     =       44.031, Total count    =            4]\n",
	} {
		assert.Contains(t, b.String(), line)
	}
}

func TestLogsAddUp(t *testing.T) {
	var b bytes.Buffer
	var want Histogram
	for name, res := range exported(t) {
		require.NoError(t, res.WriteLog(&b, time.Now()), name)
		want.Merge(&res.Response)
	}
	log, err := ReadLog(strings.NewReader(strings.ReplaceAll(b.String(), "\n", "\r\n\r\n")))
	require.NoError(t, err)
	assert.Equal(t, want, log.Response)
}

func TestALogCutOffIsAnError(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, exported(t)["few calls"].WriteLog(&b, time.Now()))
	for n := range b.Len() - 1 { // all but the last end of line
		_, err := ReadLog(bytes.NewReader(b.Bytes()[:n]))
		require.Error(t, err, "after %d bytes", n)
	}
	second := bytes.LastIndex(b.Bytes(), []byte("Tag=errors"))
	_, err := ReadLog(io.MultiReader(bytes.NewReader(b.Bytes()), bytes.NewReader(b.Bytes()[:second])))
	assert.ErrorContains(t, err, "1 lines with Tag=errors and not 2")
	_, err = ReadLog(io.MultiReader(&b, errReader{}))
	assert.ErrorIs(t, err, io.ErrClosedPipe)
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// encodeHDR returns the text of a histogram with the header given.
func encodeHDR(digits int32, low, high int64, ratio float64, payload []byte) string {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	write := func(w io.Writer, values ...any) {
		for _, v := range values {
			_ = binary.Write(w, binary.BigEndian, v) // to memory
		}
	}
	write(w, int32(0x1c849313), int32(len(payload)), int32(0), digits, low, high, ratio, payload)
	w.Close()
	var b bytes.Buffer
	write(&b, int32(0x1c849314), int32(z.Len()), z.Bytes())
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// badHistograms are texts that no run writes, and what is said about them.
func badHistograms() map[string]string {
	const max = int64(MaxLatency)
	full := encodeHDR(3, 1, max, 1, []byte{2})
	return map[string]string{
		"????":                                              "illegal base64",
		"AAAA":                                              "unexpected EOF",
		full[:len(full)-8]:                                  "bad histogram",
		"AAAA" + full[4:]:                                   "only V2 is supported",
		full[:12] + "AAAA" + full[16:]:                      "zlib",
		strings.Repeat("A", 1<<20):                          "too many",
		encodeHDR(5, 1, 1<<62, 1, []byte{2}):                "only 1 to 1099511627775 in 3 digits",
		encodeHDR(3, 1, 1<<62, 1, []byte{2}):                "only 1 to 1099511627775 in 3 digits",
		encodeHDR(2, 1, max, 1, []byte{2}):                  "only 1 to 1099511627775 in 3 digits",
		encodeHDR(3, 0, max, 1, []byte{2}):                  "only 1 to 1099511627775 in 3 digits",
		encodeHDR(3, 1, max, .5, []byte{2}):                 "times 0.5",
		encodeHDR(3, 1, max, 1, []byte{0x80}):               "truncated",
		encodeHDR(3, 1, max, 1, make([]byte, numBuckets+1)): "overflows",
		encodeHDR(3, 1, max, 1, make([]byte, 1<<24)):        "exceeds the maximum",
		// one more than maxCount; more than an int64; runs of empty buckets that leave the histogram
		encodeHDR(3, 1, max, 1, []byte{0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}):                               "at most 281474976710656",
		encodeHDR(3, 1, max, 1, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}):                   "past MaxInt64",
		encodeHDR(3, 1, max, 1, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}):                   "zero-run",
		encodeHDR(3, 1, max, 1, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x80, 0x80, 0x80, 0x80}): "corrupt",
	}
}

func TestBadHistogramsAreErrors(t *testing.T) {
	for text, say := range badHistograms() {
		h := everyBucket()
		assert.ErrorContains(t, h.UnmarshalText([]byte(text)), say)
		assert.Equal(t, everyBucket().total, h.total, "it stays as it was")
		_, err := ReadLog(strings.NewReader("Tag=response,0,0,0," + text))
		assert.Error(t, err)
		assert.Error(t, json.Unmarshal([]byte(`{"lag":"`+text+`"}`), new(Result)))
	}
}

func TestHostileHistogramsAllocateLittle(t *testing.T) {
	const runs = 20
	for text := range badHistograms() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			require.Error(t, new(Histogram).UnmarshalText([]byte(text)))
		}
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/runs, uint64(2<<20))
	}
}

func TestBadLogs(t *testing.T) {
	empty := encodeHDR(3, 1, int64(MaxLatency), 1, []byte{0})
	many := encodeHDR(3, 1, int64(MaxLatency), 1, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}) // maxCount
	for _, c := range []struct{ log, say string }{
		{"", "0 lines with Tag=response"},
		{"#[StartTime: 0]\n", "0 lines with Tag=response"},
		{"hello\n", "line 1 of the log: not of the form"},
		{"# a comment\n\n0,0,0," + empty, "line 3 of the log: not of the form"},
		{"Tag=response,0,0,", "not of the form"},
		{"Tag=response,0,0,0,", "bad histogram"},
		{"Tag=response,0,0,0," + empty + ",", "not of the form"},
		{"Tag=response,now,0,0," + empty, `"now" is not a number`},
		{"Tag=response,NaN,0,0," + empty, `"NaN" is not a number`},
		{"Tag=other,0,0,0," + empty, `tag "other" is none of response, service, lag, errors`},
		{"Tag=response,0,0,0," + many + "\nTag=response,0,0,0," + many, "line 2 of the log: more than"},
		{strings.Repeat("x", 1<<20), "line 1 of the log: bufio.Scanner: token too long"},
	} {
		log, err := ReadLog(strings.NewReader(c.log))
		assert.Nil(t, log)
		assert.ErrorContains(t, err, c.say)
	}
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
		{`{"due":1}`, "due not sent + dropped"},
		{`{"due":1,"sent":1}`, "sent is not ok + failed"},
		{`{"due":1,"sent":1,"ok":1}`, "do not hold the calls"},
	} {
		res := Result{Elapsed: 5}
		assert.ErrorContains(t, json.Unmarshal([]byte(c.json), &res), c.say)
		assert.Equal(t, Result{Elapsed: 5}, res, "it stays as it was")
	}
}

func TestWhatCannotBeExported(t *testing.T) {
	for _, n := range []int64{maxCount + 1, -1} {
		var h Histogram
		h.Record(1, n)
		_, err := h.MarshalText()
		assert.ErrorContains(t, err, "be exported")
		assert.ErrorContains(t, h.WriteHGRM(io.Discard), "be exported")
		_, err = json.Marshal(Result{Lag: h})
		assert.ErrorContains(t, err, "be exported")
		assert.ErrorContains(t, (&Result{Lag: h}).WriteLog(io.Discard, time.Now()), "be exported")
	}
	for few := range int64(100) { // what is below the last bucket is nearly 100 %
		var h Histogram
		h.Record(1, maxCount-few)
		h.Record(2, few)
		assert.NoError(t, h.WriteHGRM(io.Discard))
	}
	h := everyBucket()
	assert.ErrorIs(t, h.WriteHGRM(errWriter{}), io.ErrClosedPipe)
	assert.ErrorIs(t, new(Result).WriteLog(errWriter{}, time.Now()), io.ErrClosedPipe)
}

type errWriter struct{}

func (errWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzReadLog: whatever is read can be written and read again, and printed.
func FuzzReadLog(f *testing.F) {
	for _, res := range seeds(f) {
		var b bytes.Buffer
		require.NoError(f, res.WriteLog(&b, time.UnixMilli(1_700_000_000_250)))
		f.Add(b.Bytes())
	}
	for text := range badHistograms() {
		f.Add([]byte("Tag=response,0,0,0," + text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		log, err := ReadLog(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		res := &Result{Response: log.Response, Service: log.Service, Lag: log.Lag, Errors: log.Errors}
		require.NoError(t, res.WriteLog(&b, time.Time{}))
		again, err := ReadLog(&b)
		require.NoError(t, err)
		assert.Equal(t, log, again)
		assert.NoError(t, log.Response.WriteHGRM(io.Discard))
	})
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
		data, err := json.Marshal(res)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &again))
		sameResult(t, &res, &again)
		require.NoError(t, sum.Merge(&res))
		require.NoError(t, sum.Merge(&again))
		assert.Equal(t, sum.Due, sum.OK+sum.Failed+sum.Dropped)
		assert.NoError(t, res.Lag.WriteHGRM(io.Discard))
	})
}

// FuzzUnmarshalText gets past the checksums that stop the mutations of whole
// texts: it makes up a header and a payload.
func FuzzUnmarshalText(f *testing.F) {
	f.Add(int32(3), int64(1), int64(MaxLatency), 1.0, []byte{2, 3, 0x82, 1, 2})
	f.Add(int32(5), int64(1), int64(1<<62), 1.0, []byte{2})
	f.Fuzz(func(t *testing.T, digits int32, low, high int64, ratio float64, payload []byte) {
		var h, again Histogram
		if h.UnmarshalText([]byte(encodeHDR(digits, low, high, ratio, payload))) != nil {
			return
		}
		text, err := h.MarshalText()
		require.NoError(t, err)
		require.NoError(t, again.UnmarshalText(text))
		assert.Equal(t, h, again)
		assert.NoError(t, h.WriteHGRM(io.Discard))
	})
}
