// Package record reads what suites write with -results: a file of JSON for
// each result line, as package loadgen/record documents it. It knows the few
// keys that a report needs, so that benchreport can be installed without loadgen.
package record

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rpcbench/rpcbench/cmd/internal/folder"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// Record is what stands behind one result line, or the result of a load generator alone.
type Record struct {
	File     string
	Name     string // of the line
	Start    time.Time
	Ranks    int // how many load generators made the calls, of which this is one
	P50      float64
	Metrics  map[string]float64      // of the line; none without one
	Response *hdrhistogram.Histogram // in nanoseconds, of one call at least
	Counts
	Warnings []string
	Failures []string          // as in "3 × reset"
	Config   map[string]string // what the line's configuration lines say, as far as it is known
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
	Start  int64 `json:"start_ns"` // from that of the run
	OK     int64 `json:"ok"`
	Failed int64 `json:"failed"`
	P50    int64 `json:"p50_ns"`
	P99    int64 `json:"p99_ns"`
	Max    int64 `json:"max_ns"`
}

// file is the form of a record.
type file struct {
	Run     string             `json:"run"`
	Name    string             `json:"name"`
	Start   time.Time          `json:"start"`
	Ranks   int                `json:"size"`
	Metrics map[string]float64 `json:"metrics"`
	Config  map[string]string  `json:"config"`
	Result  *struct {
		Counts
		Response string   `json:"response"`
		Warnings []string `json:"warnings"`
		Kinds    []struct {
			Text  string `json:"text"`
			Count int64  `json:"count"`
		} `json:"error_kinds"`
	} `json:"result"`
}

// ReadDir reads the records of a directory, one at least; those of runs in
// which no call was made are left out, and so are files of others. The error names the file.
func ReadDir(dir string) (list []Record, others folder.Others, err error) {
	files, others, err := folder.Files(dir, ".json")
	if err != nil {
		return nil, others, fmt.Errorf("-results: %w", err)
	}
	for _, path := range files {
		data, err := regular.ReadFile(path, maxFile)
		if err != nil {
			return nil, others, err
		}
		r, err := parse(data)
		if err != nil {
			return nil, others, fmt.Errorf("%s: %w", path, err)
		}
		if r.File = path; r.Response != nil {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, others, fmt.Errorf("-results=%s: no records there; the suites write them with their flag -results", dir)
	}
	return list, others, nil
}

// maxFile is more than any record needs.
const maxFile = 64 << 20

func parse(data []byte) (r Record, err error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return r, fmt.Errorf("not a record: %w", err)
	}
	if f.Run == "" || f.Name == "" || f.Result == nil {
		return r, fmt.Errorf("not a record: run, name or result is missing")
	}
	r = Record{Name: foreign.Line(f.Name), Start: f.Start, Ranks: f.Ranks, P50: math.NaN(), Metrics: f.Metrics, Counts: f.Result.Counts, Config: map[string]string{}}
	for key, value := range f.Config {
		r.Config[foreign.Line(key)] = foreign.Line(value)
	}
	for _, w := range f.Result.Warnings {
		r.Warnings = append(r.Warnings, foreign.Line(w))
	}
	for _, kind := range f.Result.Kinds {
		r.Failures = append(r.Failures, fmt.Sprintf("%d × %s", kind.Count, foreign.Line(kind.Text)))
	}
	if p50, ok := f.Metrics["p50-ns"]; ok {
		r.P50 = p50
	}
	if r.Response, err = histogram(f.Result.Response); err != nil {
		return r, fmt.Errorf("its response histogram: %w", err)
	}
	return r, nil
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
