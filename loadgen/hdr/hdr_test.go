package hdr

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// results returns an empty result, one of a run with failures, and one of a run that
// dropped calls.
func results(tb testing.TB) map[string]*loadgen.Result {
	tb.Helper()
	list := map[string]*loadgen.Result{"none": {}}
	for name, cfg := range map[string]loadgen.Config{
		"closed":             {Schedule: loadgen.ClosedLoop, Calls: 200},
		"failures and drops": {Schedule: loadgen.Constant(2000), Duration: time.Second / 4, MaxLag: 5 * time.Millisecond},
	} {
		cfg.Workers = 1
		calls := 0
		res, err := loadgen.Run(context.Background(), cfg, func(context.Context, int) error {
			calls++
			time.Sleep(time.Duration(calls%7) * 200 * time.Microsecond)
			if calls%5 == 0 {
				return errors.New("fifth")
			}
			return nil
		})
		require.NoError(tb, err)
		list[name] = res
	}
	return list
}

// wide returns a result whose histograms have values of every size.
func wide() *loadgen.Result {
	res := new(loadgen.Result)
	for d := time.Duration(1); d < 2*loadgen.MaxLatency; d = d*5/4 + 1 {
		res.Response.Record(d, int64(d)%1000+1)
		res.Errors.Record(2*d, 3)
	}
	res.Service.Record(0, 1)
	return res
}

func TestALogIsReadAsWritten(t *testing.T) {
	list := results(t)
	list["wide"] = wide()
	for name, res := range list {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, WriteLog(&b, res, time.Time{}))
			log, err := ReadLog(&b)
			require.NoError(t, err)
			same(t, res, log)
		})
	}
}

func same(t *testing.T, want *loadgen.Result, got *Log) {
	t.Helper()
	assert.Equal(t, &want.Response, &got.Response)
	assert.Equal(t, &want.Service, &got.Service)
	assert.Equal(t, &want.Lag, &got.Lag)
	assert.Equal(t, &want.Errors, &got.Errors)
}

// TestHdrHistogramReadsTheLog reads the log with hdrhistogram-go's own reader.
func TestHdrHistogramReadsTheLog(t *testing.T) {
	res := results(t)["failures and drops"]
	var b bytes.Buffer
	start := time.UnixMilli(1_700_000_000_250)
	require.NoError(t, WriteLog(&b, res, start))
	reader := hdrhistogram.NewHistogramLogReader(&b)
	for _, want := range []struct {
		tag string
		*loadgen.Histogram
	}{{"response", &res.Response}, {"service", &res.Service}, {"lag", &res.Lag}, {"errors", &res.Errors}} {
		got, err := reader.NextIntervalHistogram()
		require.NoError(t, err)
		assert.Equal(t, want.tag, got.Tag())
		assert.Equal(t, start.UnixMilli(), got.StartTimeMs())
		assert.InDelta(t, start.Add(res.Elapsed).UnixMilli(), got.EndTimeMs(), 1)
		assert.Equal(t, want.Count(), got.TotalCount())
		assert.EqualValues(t, want.Max(), got.Max())
		again := new(loadgen.Histogram)
		for _, bar := range got.Distribution() {
			again.Record(time.Duration(bar.To), bar.Count)
		}
		assert.Equal(t, want.Histogram, again, "bucket by bucket")
	}
}

// TestALogOfAnEarlierVersion reads a log that an earlier version wrote.
func TestALogOfAnEarlierVersion(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "open.hlog"))
	require.NoError(t, err)
	defer file.Close()
	log, err := ReadLog(file)
	require.NoError(t, err)
	for _, c := range []struct {
		tag                            string
		count                          int64
		min, median, p99, longest, avg time.Duration
	}{
		{"response", 1385, 490_495, 6_262_783, 8_241_151, 10_526_719, 6_266_544},
		{"service", 1385, 240, 2_119_679, 3_399_679, 5_726_207, 1_739_967},
		{"lag", 1385, 6_143, 4_587_519, 4_993_023, 5_001_215, 4_526_521},
		{"errors", 221, 2_869_247, 6_234_111, 8_175_615, 8_241_151, 6_257_483},
	} {
		h := log.byTag(c.tag)
		assert.Equal(t, c.count, h.Count(), c.tag)
		got := []time.Duration{h.Min(), h.Quantile(.5), h.Quantile(.99), h.Max(), h.Mean()}
		assert.Equal(t, []time.Duration{c.min, c.median, c.p99, c.longest, c.avg}, got, c.tag)
	}
}

func TestHGRM(t *testing.T) {
	var h loadgen.Histogram
	h.Record(1500, 3)
	h.Record(44_001, 1)
	var b strings.Builder
	require.NoError(t, WriteHGRM(&b, &h))
	for _, line := range []string{
		" Value\tPercentile\tTotalCount\t1/(1-Percentile)\n\n",
		"\n       1.500     0.700000            3         3.33\n",
		"\n      44.031     1.000000            4          inf\n",
		"\n#[Max     =       44.031, Total count    =            4]\n",
	} {
		assert.Contains(t, b.String(), line)
	}
}

// TestHGRMEnds even if nearly 100 % of the values are below the last bucket.
func TestHGRMEnds(t *testing.T) {
	for few := range int64(100) {
		var h loadgen.Histogram
		h.Record(1, maxCount-few)
		h.Record(2, few)
		assert.NoError(t, WriteHGRM(io.Discard, &h))
	}
	assert.NoError(t, WriteHGRM(io.Discard, new(loadgen.Histogram)), "nor does an empty one run forever")
}

func TestLogsAddUp(t *testing.T) {
	var b bytes.Buffer
	var want loadgen.Histogram
	for name, res := range results(t) {
		require.NoError(t, WriteLog(&b, res, time.Now()), name)
		want.Merge(&res.Response)
	}
	log, err := ReadLog(strings.NewReader(strings.ReplaceAll(b.String(), "\n", "\r\n\r\n")))
	require.NoError(t, err)
	assert.Equal(t, &want, &log.Response)
}

func TestALogCutOffIsAnError(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteLog(&b, wide(), time.Now()))
	for n := 0; n < b.Len()-1; n += 3 { // every length without the last end of line
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

func textOf(tb testing.TB, n int64) string {
	tb.Helper()
	var h loadgen.Histogram
	h.Record(1, n)
	text, err := h.MarshalText()
	require.NoError(tb, err)
	return string(text)
}

// badHistograms are texts that no run writes.
func badHistograms(tb testing.TB) []string {
	full := textOf(tb, 1)
	return []string{"????", "AAAA", full[:len(full)-8], "AAAA" + full[4:], full[:12] + "AAAA" + full[16:], strings.Repeat("A", maxLine-100)}
}

func TestBadHistogramsAreErrors(t *testing.T) {
	for _, text := range badHistograms(t) {
		_, err := ReadLog(strings.NewReader("Tag=response,0,0,0," + text))
		assert.ErrorContains(t, err, "line 1 of the log: loadgen: bad histogram")
	}
}

func TestBadLogs(t *testing.T) {
	empty, many := textOf(t, 1), textOf(t, maxCount)
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
		{strings.Repeat("x", maxLine), "line 1 of the log: bufio.Scanner: token too long"},
	} {
		log, err := ReadLog(strings.NewReader(c.log))
		assert.Nil(t, log)
		assert.ErrorContains(t, err, c.say)
	}
}

func TestWhatCannotBeExported(t *testing.T) {
	for _, n := range []int64{maxCount + 1, -1} {
		var res loadgen.Result
		res.Lag.Record(1, n)
		assert.ErrorContains(t, WriteHGRM(io.Discard, &res.Lag), "be exported")
		assert.ErrorContains(t, WriteLog(io.Discard, &res, time.Now()), "be exported")
	}
	res := wide()
	assert.ErrorIs(t, WriteHGRM(errWriter{}, &res.Response), io.ErrClosedPipe)
	assert.ErrorIs(t, WriteLog(errWriter{}, res, time.Now()), io.ErrClosedPipe)
}

type errWriter struct{}

func (errWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzReadLog: whatever is read can be written and read again, and printed.
func FuzzReadLog(f *testing.F) {
	for _, res := range results(f) {
		var b bytes.Buffer
		require.NoError(f, WriteLog(&b, res, time.UnixMilli(1_700_000_000_250)))
		f.Add(b.Bytes())
	}
	for _, text := range badHistograms(f) {
		f.Add([]byte("Tag=response,0,0,0," + text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		log, err := ReadLog(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		res := new(loadgen.Result)
		for _, tag := range tags() {
			h := map[string]*loadgen.Histogram{"response": &res.Response, "service": &res.Service, "lag": &res.Lag, "errors": &res.Errors}[tag]
			h.Merge(log.byTag(tag))
		}
		require.NoError(t, WriteLog(&b, res, time.Time{}))
		again, err := ReadLog(&b)
		require.NoError(t, err)
		assert.Equal(t, log, again)
		assert.NoError(t, WriteHGRM(io.Discard, &log.Response))
	})
}
