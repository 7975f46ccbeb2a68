package loadgen

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyBucket returns a histogram with a different count in each bucket, including the
// bucket of 0 ns.
func everyBucket() *Histogram {
	h := new(Histogram)
	for i := range bucket.Count {
		h.add(i, int64(i*i)%1000*int64(i)+1)
	}
	return h
}

// histograms returns histograms that are all written in different ways.
func histograms() map[string]*Histogram {
	cases := map[string]*Histogram{"every bucket": everyBucket(), "none": {}, "most counts": {}, "gaps": {}, "two far apart": {}}
	for name, d := range map[string]time.Duration{"0 ns": 0, "1 ns": 1, "the longest": MaxLatency, "too long": 2 * MaxLatency} {
		cases[name] = new(Histogram)
		cases[name].Record(d, 3)
	}
	cases["most counts"].Record(1, maxCount-5)
	cases["most counts"].Record(2, 5)
	for i := 0; i < bucket.Count; i += 1 + i%5 {
		cases["gaps"].add(i, int64(i+1))
	}
	cases["two far apart"].Record(7, 1)
	cases["two far apart"].Record(time.Minute, 1)
	return cases
}

func TestHistogramsKeepEveryBucket(t *testing.T) {
	for name, h := range histograms() {
		t.Run(name, func(t *testing.T) {
			text, err := h.MarshalText()
			require.NoError(t, err)
			read := new(Histogram)
			read.Record(5, 5)
			require.NoError(t, read.UnmarshalText(text))
			assert.Equal(t, h, read)
		})
	}
}

// TestHdrHistogramAgrees compares with what hdrhistogram-go reads and writes.
func TestHdrHistogramAgrees(t *testing.T) {
	for name, h := range histograms() {
		if name == "none" {
			continue // the text is empty
		}
		t.Run(name, func(t *testing.T) {
			ours, err := h.MarshalText()
			require.NoError(t, err)
			hdr, err := hdrhistogram.Decode(ours)
			require.NoError(t, err)
			assert.Equal(t, h.counts, hdr.Export().Counts, "it reads what we write")
			assert.Equal(t, h.Count(), hdr.TotalCount())

			theirs, err := imported(h).Encode(hdrhistogram.V2CompressedEncodingCookieBase)
			require.NoError(t, err)
			assert.Equal(t, inflated(t, theirs), inflated(t, ours), "it writes the same")
			read := new(Histogram)
			require.NoError(t, read.UnmarshalText(theirs))
			assert.Equal(t, h, read, "we read what it writes")
		})
	}
}

// imported returns h as a histogram of hdrhistogram-go.
func imported(h *Histogram) *hdrhistogram.Histogram {
	return hdrhistogram.Import(&hdrhistogram.Snapshot{
		LowestTrackableValue: 1, HighestTrackableValue: int64(MaxLatency), SignificantFigures: hdrDigits, Counts: h.counts,
	})
}

// inflated undoes the compression of a histogram's text.
func inflated(t *testing.T, text []byte) []byte {
	raw, err := base64.StdEncoding.DecodeString(string(text))
	require.NoError(t, err)
	z, err := zlib.NewReader(bytes.NewReader(raw[8:]))
	require.NoError(t, err)
	payload, err := io.ReadAll(z)
	require.NoError(t, err)
	return payload
}

// TestAnEmptyHistogramOfOthersIsEmpty: of an empty histogram, hdrhistogram-go writes a
// bucket with the count 0, and loadgen writes none.
func TestAnEmptyHistogramOfOthersIsEmpty(t *testing.T) {
	text, err := hdrhistogram.New(1, int64(MaxLatency), hdrDigits).Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	require.NoError(t, err)
	h := everyBucket()
	require.NoError(t, h.UnmarshalText(text))
	assert.Equal(t, new(Histogram), h)
}

// TestHistogramsOfEarlierVersions reads texts that an earlier version wrote. The file
// lists their values too.
func TestHistogramsOfEarlierVersions(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "histograms.json"))
	require.NoError(t, err)
	var list []struct {
		About  string
		Values [][2]int64 // nanoseconds and count
		Text   string
	}
	require.NoError(t, json.Unmarshal(data, &list))
	require.NotEmpty(t, list)
	for _, c := range list {
		want, got := new(Histogram), new(Histogram)
		for _, v := range c.Values {
			want.Record(time.Duration(v[0]), v[1])
		}
		require.NoError(t, got.UnmarshalText([]byte(c.Text)), c.About)
		assert.Equal(t, want, got, c.About)
	}
}

// encodeHDR returns the text of a histogram with the header given.
func encodeHDR(digits int32, low, high int64, ratio float64, payload []byte) string {
	return encodeAs(countsCookie, int32(len(payload)), digits, low, high, ratio, payload)
}

func encodeAs(cookie, length, digits int32, low, high int64, ratio float64, payload []byte) string {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	write := func(w io.Writer, values ...any) {
		for _, v := range values {
			_ = binary.Write(w, binary.BigEndian, v) // to memory
		}
	}
	write(w, cookie, length, int32(0), digits, low, high, ratio, payload)
	w.Close()
	var b bytes.Buffer
	write(&b, int32(compressedCookie), int32(z.Len()), z.Bytes())
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// badHistograms are texts that no run writes, and what is said about them.
func badHistograms() map[string]string {
	const max = int64(MaxLatency)
	full := encodeHDR(3, 1, max, 1, []byte{2})
	return map[string]string{
		"????":                         "illegal base64",
		"AAAA":                         "unexpected EOF",
		full[:len(full)-8]:             "are missing",
		"AAAA" + full[4:]:              "only V2 is supported",
		full[:12] + "AAAA" + full[16:]: "zlib",
		strings.Repeat("A", 1<<20):     "too many",
		encodeAs(0x1c849301, 1, 3, 1, max, 1, []byte{2}):      "only V2 is supported",
		encodeAs(countsCookie, 2, 3, 1, max, 1, []byte{2}):    "do not take the 2 bytes",
		encodeAs(countsCookie, 0, 3, 1, max, 1, []byte{2}):    "do not take the 0 bytes",
		encodeAs(countsCookie, -1, 3, 1, max, 1, []byte{2}):   "its counts take -1 bytes",
		encodeHDR(5, 1, 1<<62, 1, []byte{2}):                  "only 1 to 1099511627775 in 3 digits",
		encodeHDR(3, 1, 1<<62, 1, []byte{2}):                  "only 1 to 1099511627775 in 3 digits",
		encodeHDR(2, 1, max, 1, []byte{2}):                    "only 1 to 1099511627775 in 3 digits",
		encodeHDR(3, 0, max, 1, []byte{2}):                    "only 1 to 1099511627775 in 3 digits",
		encodeHDR(3, 1, max, .5, []byte{2}):                   "times 0.5",
		encodeHDR(3, 1, max, 1, []byte{0x80}):                 "truncated",
		encodeHDR(3, 1, max, 1, make([]byte, bucket.Count+1)): "more than 31744 buckets",
		encodeHDR(3, 1, max, 1, make([]byte, 1<<24)):          "at most 285696 are possible",
		// one more than maxCount; more than an int64; runs of empty buckets that leave the histogram
		encodeHDR(3, 1, max, 1, []byte{0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}):                               "more than 281474976710656 values",
		encodeHDR(3, 1, max, 1, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}):                         "more than 281474976710656 values",
		encodeHDR(3, 1, max, 1, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}):                   "too long",
		encodeHDR(3, 1, max, 1, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}):                   "too long",
		encodeHDR(3, 1, max, 1, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x80, 0x80, 0x80, 0x80}): "buckets",
	}
}

func TestBadHistogramsAreErrors(t *testing.T) {
	for text, say := range badHistograms() {
		h := everyBucket()
		err := h.UnmarshalText([]byte(text))
		assert.ErrorContains(t, err, say)
		assert.ErrorContains(t, err, "bad histogram")
		assert.Equal(t, everyBucket().total, h.total, "it stays as it was")
		assert.Error(t, json.Unmarshal([]byte(`{"lag":"`+text+`"}`), new(Result)))
	}
}

func TestHostileHistogramsAllocateLittle(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates too")
	}
	const runs = 20
	for text := range badHistograms() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			require.Error(t, new(Histogram).UnmarshalText([]byte(text)))
		}
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/runs, uint64(1<<20))
	}
}

func TestWhatCannotBeExported(t *testing.T) {
	for _, n := range []int64{maxCount + 1, -1} {
		var res Result
		res.Lag.Record(1, n)
		_, err := res.Lag.MarshalText()
		assert.ErrorContains(t, err, "be exported")
		_, err = json.Marshal(&res)
		assert.ErrorContains(t, err, "be exported")
	}
}

// FuzzUnmarshalText gets past the checksums that stop the mutations of whole
// texts: it makes up a header and a payload. hdrhistogram-go must read the same.
func FuzzUnmarshalText(f *testing.F) {
	f.Add(int32(3), int64(1), int64(MaxLatency), 1.0, []byte{2, 3, 0x82, 1, 2})
	f.Add(int32(5), int64(1), int64(1<<62), 1.0, []byte{2})
	f.Fuzz(func(t *testing.T, digits int32, low, high int64, ratio float64, payload []byte) {
		h, again := new(Histogram), new(Histogram)
		text := []byte(encodeHDR(digits, low, high, ratio, payload))
		if h.UnmarshalText(text) != nil {
			return
		}
		hdr, err := hdrhistogram.Decode(text)
		require.NoError(t, err)
		require.Equal(t, hdr.TotalCount(), h.Count())
		if h.Count() > 0 {
			require.Equal(t, hdr.Export().Counts, h.counts)
		}
		text, err = h.MarshalText()
		require.NoError(t, err)
		require.NoError(t, again.UnmarshalText(text))
		assert.Equal(t, h, again)
	})
}

// BenchmarkMarshalText tells what a record costs.
func BenchmarkMarshalText(b *testing.B) {
	h := everyBucket()
	for b.Loop() {
		if _, err := h.MarshalText(); err != nil {
			b.Fatal(err)
		}
	}
}
