// Package record reads what suites write with -results: a file of JSON for
// each result line, as package loadgen/record documents it, and results of loadgen alone. It
// knows the few keys that a report needs, so that benchreport can be installed without loadgen.
package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Record is what stands behind one result line, or the result of a load generator alone.
type Record struct {
	File     string
	Name     string    // of the line; of a result without a record the file's
	Part     string    // the kind of calls that this is of; "" for all calls of the run
	Start    time.Time // zero if it is not known
	Ranks    int       // how many load generators made the calls, of which this is one
	P50      float64
	Metrics  map[string]float64      // of the line; none without one
	Response *hdrhistogram.Histogram // in nanoseconds, of one call at least; nil in a part without calls
	Counts
	Known    []Interval // the 95 % intervals of some percentiles
	Warnings []string
	Failures []string          // as in "3 × reset"
	Config   map[string]string // what the line's configuration lines say, as far as it is known
	Parts    []Record          // of the kinds of calls of a mix; none in a part
	alone    bool              // a part of the only run, whose name it need not have
}

// Counts are how many calls there were, and when.
type Counts struct {
	Closed  bool    `json:"closed"` // calls were not due at times
	Elapsed int64   `json:"elapsed_ns"`
	Due     int64   `json:"due"`
	Sent    int64   `json:"sent"`
	OK      int64   `json:"ok"`
	Failed  int64   `json:"failed"`
	Dropped int64   `json:"dropped"`
	Series  []Point `json:"series"`
}

// Point is an interval of a run; its times are 0 if it has no calls.
type Point struct {
	Start  int64 `json:"start_ns"`  // from that of the run
	Length int64 `json:"length_ns"` // 0 if it is not known
	OK     int64 `json:"ok"`
	Failed int64 `json:"failed"`
	P50    int64 `json:"p50_ns"`
	P99    int64 `json:"p99_ns"`
	Max    int64 `json:"max_ns"`
}

// Interval is where a percentile of the response times is, with 95 % confidence.
type Interval struct {
	Quantile float64 `json:"quantile"` // between 0 and 1
	Low      int64   `json:"low_ns"`
	High     int64   `json:"high_ns"`
}

// format is the newest format of records, and of results, that this program reads.
const format = 1

// file is the form of a record.
type file struct {
	Format  int                `json:"format"`
	Run     string             `json:"run"`
	Name    string             `json:"name"`
	Start   time.Time          `json:"start"`
	Ranks   int                `json:"size"`
	Metrics map[string]float64 `json:"metrics"`
	Config  map[string]string  `json:"config"`
	Result  *result            `json:"result"`
}

// result is the form of what a load generator measured.
type result struct {
	Format int `json:"format"`
	Counts
	Response string     `json:"response"`
	Known    []Interval `json:"confidence"`
	Warnings []string   `json:"warnings"`
	Kinds    []struct {
		Text  string `json:"text"`
		Count int64  `json:"count"`
	} `json:"error_kinds"`
	Parts []struct {
		Name   string  `json:"name"`
		Result *result `json:"result"`
	} `json:"parts"`
}

// parse reads the record of a file.
func parse(path string, data []byte) (r Record, err error) {
	f, err := formOf(data)
	if err != nil {
		return r, fmt.Errorf("not a record: %w; a record is what loadgen's package record writes, or a *loadgen.Result in JSON", err)
	}
	r = Record{File: path, Name: foreign.Line(f.Name), Start: f.Start, Ranks: f.Ranks, Metrics: f.Metrics, Config: map[string]string{}}
	for key, value := range f.Config {
		r.Config[foreign.Line(key)] = foreign.Line(value)
	}
	if err := r.take(f.Result); err != nil {
		return r, err
	}
	if p50, ok := f.Metrics["p50-ns"]; ok {
		r.P50 = p50
	}
	return r, r.takeParts(f.Result)
}

// formOf reads a record, or a result alone, which has neither a run nor a name.
func formOf(data []byte) (f file, err error) {
	if err := json.Unmarshal(data, &f); err != nil {
		return f, err
	}
	if f.Result != nil {
		f.Format = max(f.Format, f.Result.Format)
	}
	switch {
	case f.Format > format:
		return f, fmt.Errorf("it is of format %d: this program reads format %d and older ones", f.Format, format)
	case f.Run != "" && f.Name != "" && f.Result != nil:
		return f, nil
	case f.Run == "" && f.Name == "" && f.Result == nil:
		f.Result, err = alone(data)
		return f, err
	}
	return f, errMissing
}

var errMissing = errors.New("run, name or result is missing")

// alone reads a result without a record around it. Every result says its largest backlog.
func alone(data []byte) (*result, error) {
	var r struct {
		Backlog *int64 `json:"max_backlog"`
		result
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if r.Backlog == nil {
		return nil, errMissing
	}
	return &r.result, nil
}

// take takes what was measured of some calls.
func (r *Record) take(of *result) (err error) {
	r.Counts, r.Known, r.P50 = of.Counts, of.Known, math.NaN()
	for _, w := range of.Warnings {
		r.Warnings = append(r.Warnings, foreign.Line(w))
	}
	for _, kind := range of.Kinds {
		r.Failures = append(r.Failures, fmt.Sprintf("%d × %s", kind.Count, foreign.Line(kind.Text)))
	}
	if r.Response, err = histogram(of.Response); err != nil {
		return fmt.Errorf("its response histogram: %w", err)
	}
	return nil
}

// maxParts is how many parts loadgen measures. Each takes a quarter of a megabyte.
const maxParts = 256

func (r *Record) takeParts(of *result) error {
	if n := len(of.Parts); n > maxParts {
		return fmt.Errorf("its result has %d parts: at most %d are read", n, maxParts)
	}
	for _, p := range of.Parts {
		if p.Result == nil {
			return fmt.Errorf("its part %.40q has no result", p.Name)
		}
		part := Record{File: r.File, Name: r.Name, Part: cmp.Or(foreign.Line(p.Name), `""`), Start: r.Start, Config: r.Config}
		if err := part.take(p.Result); err != nil {
			return fmt.Errorf("its part %.40q: %w", p.Name, err)
		}
		r.Parts = append(r.Parts, part)
	}
	return nil
}

// maxLatency is the highest value of loadgen's histograms, which have three digits.
const maxLatency = 1<<40 - 1

// histogram reads one of a call at least; nil is one of none. Others than loadgen's
// could not be added up.
func histogram(text string) (*hdrhistogram.Histogram, error) {
	if text == "" {
		return nil, nil
	}
	h, err := hdrhistogram.Decode([]byte(text))
	if err != nil || h.TotalCount() == 0 {
		return nil, err
	}
	if h.LowestTrackableValue() != 1 || h.HighestTrackableValue() != maxLatency || h.SignificantFigures() != 3 {
		return nil, fmt.Errorf("from %d to %d in %d digits: only 1 to %d in 3 digits can be read",
			h.LowestTrackableValue(), h.HighestTrackableValue(), h.SignificantFigures(), int64(maxLatency))
	}
	return h, nil
}
