package loadgen

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// hdrDigits is the precision, in significant decimal digits, of the
// HdrHistogram from 1 to MaxLatency ns that has our buckets.
const hdrDigits = 3

// maxCount is the most counts a histogram may have to be written or read, those
// of 46 days at 70 million calls a second. HdrHistogram's percentile iterator
// runs forever where two percentiles are too close to differ as floats: from
// 2^51 counts on.
const maxCount = 1 << 48

// toHDR copies h, without loss. Bucket i of one is bucket i of the other.
func (h *Histogram) toHDR() (*hdrhistogram.Histogram, error) {
	if h.total > maxCount {
		return nil, fmt.Errorf("loadgen: a histogram of %d counts: at most %d can be exported", h.total, int64(maxCount))
	}
	hdr := hdrhistogram.Import(&hdrhistogram.Snapshot{
		LowestTrackableValue: 1, HighestTrackableValue: int64(MaxLatency), SignificantFigures: hdrDigits, Counts: h.counts,
	})
	if hdr.TotalCount() != h.total {
		return nil, errors.New("loadgen: a histogram with negative counts cannot be exported")
	}
	return hdr, nil
}

// WriteHGRM writes the percentiles as text, in the format of HdrHistogram's
// outputPercentileDistribution, that plotters of .hgrm files read. Values are
// in microseconds, to the nanosecond.
func (h *Histogram) WriteHGRM(w io.Writer) error {
	hdr, err := h.toHDR()
	if err != nil {
		return err
	}
	const ticksPerHalfDistance = 5 // as all the HdrHistogram tools have it
	_, err = hdr.PercentilesPrint(w, ticksPerHalfDistance, float64(time.Microsecond))
	return err
}

// MarshalText returns h, without loss, as a V2 compressed HdrHistogram in
// base64, with values in nanoseconds; an empty histogram is the empty text.
func (h Histogram) MarshalText() ([]byte, error) {
	if h.total == 0 {
		return nil, nil
	}
	hdr, err := h.toHDR()
	if err != nil {
		return nil, err
	}
	return hdr.EncodeV2()
}

// UnmarshalText replaces h by what MarshalText wrote. It reads the histograms
// of other programs if they go from 1 to MaxLatency in three digits.
func (h *Histogram) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*h = Histogram{}
		return nil
	}
	read, err := decode(text)
	if err != nil {
		return fmt.Errorf("loadgen: %w", err)
	}
	*h = read
	return nil
}

func decode(text []byte) (h Histogram, err error) {
	if err := checkHeader(text); err != nil {
		return h, fmt.Errorf("bad histogram: %w", err)
	}
	hdr, err := hdrhistogram.Decode(text)
	if err != nil {
		return h, fmt.Errorf("bad histogram: %w", err)
	}
	switch n := hdr.TotalCount(); {
	case n > maxCount:
		return h, fmt.Errorf("a histogram of %d counts: at most %d can be read", n, int64(maxCount))
	case n > 0:
		h.counts, h.total = hdr.Export().Counts, n
	}
	return h, nil
}

// maxEncoded is more than the text of any histogram of ours has: 9 bytes a
// bucket, in base64.
const maxEncoded = 2 * 9 * numBuckets

// checkHeader looks at what decoding would allocate before it does: a few bytes
// can declare a histogram of 50 MB.
func checkHeader(text []byte) error {
	if len(text) > maxEncoded {
		return fmt.Errorf("%d bytes are too many", len(text))
	}
	raw := base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text))
	if _, err := io.CopyN(io.Discard, raw, 8); err != nil { // cookie and length
		return unexpected(err)
	}
	inflated, err := zlib.NewReader(raw)
	if err != nil {
		return unexpected(err)
	}
	var header struct {
		Cookie, Length, Offset, Digits int32
		Lowest, Highest                int64
		Ratio                          float64
	}
	if err := binary.Read(inflated, binary.BigEndian, &header); err != nil {
		return unexpected(err)
	}
	if header.Digits != hdrDigits || header.Lowest != 1 || header.Highest != int64(MaxLatency) || header.Ratio != 1 {
		return fmt.Errorf("from %d to %d in %d digits, times %v: only 1 to %d in %d digits, times 1, can be read",
			header.Lowest, header.Highest, header.Digits, header.Ratio, int64(MaxLatency), hdrDigits)
	}
	return nil
}

// unexpected makes an end of the input an error that says so.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Log is what a histogram log of WriteLog holds.
type Log struct {
	Response, Service, Lag, Errors Histogram // as in Result
}

// byTag returns the histogram that a tag of the log stands for, nil if none.
func (l *Log) byTag(tag string) *Histogram {
	switch tag {
	case "response":
		return &l.Response
	case "service":
		return &l.Service
	case "lag":
		return &l.Lag
	case "errors":
		return &l.Errors
	}
	return nil
}

var logTags = []string{"response", "service", "lag", "errors"}

// WriteLog writes the histograms, without loss, as an HdrHistogram interval
// log in format version 1.3, that the HdrHistogram tools in many languages
// read. It has one interval, from start, when the run started (after Warmup),
// to Elapsed later, in seconds since 1970 to the millisecond; a time before
// 1970, as the zero time, is written as 1970. Its four lines are tagged
// response, service, lag and errors, and are written even when a histogram is
// empty. Values in the histograms are in nanoseconds, the column Interval_Max
// is in milliseconds.
func (r *Result) WriteLog(w io.Writer, start time.Time) error {
	from := max(start.UnixMilli(), 0)
	log := hdrhistogram.NewHistogramLogWriter(w)
	if err := errors.Join(log.OutputLogFormatVersion(), log.OutputStartTime(from), log.OutputLegend()); err != nil {
		return err
	}
	all := Log{r.Response, r.Service, r.Lag, r.Errors}
	for _, tag := range logTags {
		hdr, err := all.byTag(tag).toHDR()
		if err != nil {
			return err
		}
		hdr.SetTag(tag)
		hdr.SetStartTimeMs(from)
		hdr.SetEndTimeMs(from + r.Elapsed.Milliseconds())
		if err := log.OutputIntervalHistogram(hdr); err != nil {
			return err
		}
	}
	return nil
}

// ReadLog reads what WriteLog wrote, or several such logs one after the other:
// the lines of a tag add up. Any other tag is an error, and so is a log that has
// not as many lines of each, as one that was cut off. The times are not read.
// Memory is bounded, whatever the input is.
func ReadLog(r io.Reader) (*Log, error) {
	log, count := &Log{}, map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEncoded+1<<10)
	n := 1
	for ; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '"' { // comments and legend
			continue
		}
		tag, err := log.readLine(line)
		if err != nil {
			return nil, fmt.Errorf("loadgen: line %d of the log: %w", n, err)
		}
		count[tag]++
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("loadgen: line %d of the log: %w", n, err)
	}
	for _, tag := range logTags {
		if want := max(count["response"], 1); count[tag] != want {
			return nil, fmt.Errorf("loadgen: the log has %d lines with Tag=%s and not %d: was it cut off?", count[tag], tag, want)
		}
	}
	return log, nil
}

// readLine adds the histogram of one line to that of its tag.
func (l *Log) readLine(line string) (tag string, err error) {
	fields := strings.SplitN(line, ",", 6)
	if len(fields) != 5 || !strings.HasPrefix(fields[0], "Tag=") {
		return "", errors.New("not of the form Tag=tag,start,length,max,histogram")
	}
	tag = strings.TrimPrefix(fields[0], "Tag=")
	sum := l.byTag(tag)
	if sum == nil {
		return "", fmt.Errorf("tag %.20q is none of %s", tag, strings.Join(logTags, ", "))
	}
	for _, number := range fields[1:4] {
		if v, err := strconv.ParseFloat(number, 64); err != nil || math.IsNaN(v) {
			return "", fmt.Errorf("%.20q is not a number", number)
		}
	}
	h, err := decode([]byte(fields[4]))
	if err != nil {
		return "", err
	}
	if sum.total+h.total > maxCount {
		return "", fmt.Errorf("more than %d counts with Tag=%s", int64(maxCount), tag)
	}
	sum.Merge(&h)
	return tag, nil
}
