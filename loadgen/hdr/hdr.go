// Package hdr writes what package loadgen measured in the formats of HdrHistogram. It is for
// those who plot or merge latencies with other tools, which read these formats in many
// languages. It also reads the logs that it writes.
package hdr

import (
	"errors"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rpcbench/rpcbench/loadgen"
)

// digits is the precision, in significant decimal digits, of the HdrHistogram
// from 1 to MaxLatency ns that has the buckets of a loadgen.Histogram.
const digits = 3

// convert copies h, without loss.
func convert(h *loadgen.Histogram) (*hdrhistogram.Histogram, error) {
	text, err := h.MarshalText()
	switch {
	case err != nil:
		return nil, err
	case len(text) == 0:
		return hdrhistogram.New(1, int64(loadgen.MaxLatency), digits), nil
	}
	return hdrhistogram.Decode(text)
}

// WriteHGRM writes the percentiles of h as text, in the format of HdrHistogram's
// outputPercentileDistribution, which plotters of .hgrm files read. Values are
// in microseconds, to the nanosecond.
func WriteHGRM(w io.Writer, h *loadgen.Histogram) error {
	hdr, err := convert(h)
	if err != nil {
		return err
	}
	const ticksPerHalfDistance = 5 // the default of all HdrHistogram tools
	_, err = hdr.PercentilesPrint(w, ticksPerHalfDistance, float64(time.Microsecond))
	return err
}

// WriteLog writes the histograms of res, without loss, as an HdrHistogram
// interval log in format version 1.3. The log has one interval, from start, when
// the run started (after Warmup), to Elapsed later, in seconds since 1970 to the
// millisecond; a time before 1970, such as the zero time, is written as 1970.
// Its four lines are tagged response, service, lag and errors, and are written
// even if a histogram is empty. Values in the histograms are in nanoseconds; the
// column Interval_Max is in milliseconds.
func WriteLog(w io.Writer, res *loadgen.Result, start time.Time) error {
	from := max(start.UnixMilli(), 0)
	log := hdrhistogram.NewHistogramLogWriter(w)
	if err := errors.Join(log.OutputLogFormatVersion(), log.OutputStartTime(from), log.OutputLegend()); err != nil {
		return err
	}
	histograms := []*loadgen.Histogram{&res.Response, &res.Service, &res.Lag, &res.Errors}
	for i, tag := range tags() {
		h, err := convert(histograms[i])
		if err != nil {
			return err
		}
		h.SetTag(tag)
		h.SetStartTimeMs(from)
		h.SetEndTimeMs(from + res.Elapsed.Milliseconds())
		if err := log.OutputIntervalHistogram(h); err != nil {
			return err
		}
	}
	return nil
}
