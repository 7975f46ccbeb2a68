// Package record keeps results of package loadgen in files: all that was measured by a run, for
// one line of a benchmark, or by one agent of many. It is for those who compare runs, merge
// them, or read them with other programs, such as jq or a spreadsheet.
package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/bounds"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
	"github.com/rpcbench/rpcbench/loadgen/internal/portable"
	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
)

// Record is the result of a run and what belongs to it. A file holds one, as
// JSON.
type Record struct {
	// RunName is the name of the run that this is a part of; only records of
	// one run may be merged. It must not be empty.
	RunName string `json:"run"`
	// Benchmark is the name of a benchmark line, which begins with Benchmark, as in
	// "BenchmarkEcho/size=1KiB".
	Benchmark string `json:"name"`
	// Rank, from 0 to Ranks-1, is the number of the agent that measured this,
	// and Ranks, at least 1, is how many agents there were. A process that was
	// alone, and a record of all agents, has rank 0 of 1.
	Rank  int `json:"rank"`
	Ranks int `json:"size"`
	// Start is when the run started, after its warm-up.
	Start time.Time `json:"start"`
	// Config is what stays the same for a run, such as versions and the machine.
	Config map[string]string `json:"config,omitempty"`
	// Metrics are the values of the line by unit.
	Metrics map[string]float64 `json:"metrics,omitempty"`

	// Mean, Median and Max of Result.Response are for programs that do not read
	// histograms. Write and Encode set them.
	Mean   time.Duration `json:"mean_ns"`
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	// Result is all that was measured.
	Result *loadgen.Result `json:"result"`
}

// Write writes r into a new file of the directory, which is made if it does not
// exist, and returns its path. A reader finds the whole file or none.
func (r *Record) Write(dir string) (path string, err error) {
	var data bytes.Buffer
	if err := r.Encode(&data); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path = filepath.Join(dir, r.fileName())
	return path, writeWhole(path, data.Bytes())
}

// Encode writes to w what Write writes into a file, in one call of w.Write. If the record is
// wrong, the error says why, and nothing is written.
func (r *Record) Encode(w io.Writer) error {
	if err := r.check(); err != nil {
		return err
	}
	response := &r.Result.Response
	r.Mean, r.Median, r.Max = response.Mean(), response.Quantile(.5), response.Max()
	data, err := json.Marshal(file{r, format})
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// format is the number of what Encode writes. It grows when a program that reads the number before
// would take a record for what it is not. That of the result is its own.
const format = 1

// file is a record with the number of its format, 0 if a version wrote it that had none.
type file struct {
	*Record
	Format int `json:"format"`
}

// writeWhole writes a temporary file in the directory of path and then renames it,
// so that no reader finds half a file.
func writeWhole(path string, data []byte) error {
	part := filepath.Join(filepath.Dir(path), fmt.Sprintf(".part-%d-%s", os.Getpid(), filepath.Base(path)))
	defer os.Remove(part) // fails if it was renamed
	if err := os.WriteFile(part, data, 0o666); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// longestName is what the name of the benchmark may take of a file name. With what follows
// it, and what writeWhole puts before it, that has fewer bytes than portable.Most.
const longestName = 150

// fileName is different for each line, repeat and rank. Every system can hold it, and it is
// not hidden.
func (r *Record) fileName() string {
	name := strings.TrimPrefix(r.Benchmark, "Benchmark")
	if strings.HasPrefix(name, ".") {
		name = "_" + name
	}
	at := r.Start.UTC().Format("20060102T150405.000000000")
	return fmt.Sprintf("%s,%s,%d-of-%d.json", portable.Name(name, longestName), at, r.Rank, r.Ranks)
}

// Read reads what Write wrote; the error names the file. What is no regular file, or larger
// than 64 MiB, which is more than any record needs, is not read, nor what a later version
// wrote in another format.
func Read(path string) (*Record, error) {
	data, err := regular.ReadFile(path, bounds.Size)
	if err != nil {
		return nil, err
	}
	r := new(Record)
	f := file{Record: r}
	err = json.Unmarshal(data, &f)
	if f.Format > format {
		err = fmt.Errorf("record: it is of format %d: this version reads format %d and older ones", f.Format, format)
	}
	if err == nil {
		err = r.check()
	}
	if err == nil {
		err = r.checkSummary()
	}
	if err == nil && !bytes.HasSuffix(data, []byte("\n")) {
		err = errors.New("record: the last line has no end: was it cut off?")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Bounds of what a record has, which are more than any run needs.
const (
	maxName    = 1000    // bytes of a key or a unit
	maxValue   = 1 << 16 // bytes
	maxEntries = 1000    // of Config, and of Metrics
)

// key is the form of a configuration line's.
var key = regexp.MustCompile(`^[a-z][^\s[:upper:]:]*$`)

// checkTexts makes sure that the names and values can be printed as a benchmark's.
func (r *Record) checkTexts() error {
	if n := max(len(r.Config), len(r.Metrics)); n > maxEntries {
		return fmt.Errorf("record: %d entries of its config or metrics: at most %d", n, maxEntries)
	}
	for k, v := range r.Config {
		if len(k) > maxName || len(v) > maxValue {
			return fmt.Errorf("record: the key %.40q of its config, or its value, is too long: %d and %d bytes, at most %d and %d", k, len(k), len(v), maxName, maxValue)
		}
		if !key.MatchString(k) || foreign.Line(k) != k {
			return fmt.Errorf("record: the key %.40q of its config: it must begin with a lower-case letter, and have no space, colon or capital", k)
		}
	}
	for unit, v := range r.Metrics {
		if len(unit) > maxName {
			return fmt.Errorf("record: the unit %.40q… of %d bytes is too long: at most %d", unit, len(unit), maxName)
		}
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("record: its metric %.40q is %v, which is no measurement", unit, v)
		}
	}
	return nil
}

// checkSummary compares what programs read that do not read histograms with the histogram.
func (r *Record) checkSummary() error {
	if h := &r.Result.Response; r.Mean != h.Mean() || r.Median != h.Quantile(.5) || r.Max != h.Max() {
		return fmt.Errorf("record: its mean, median and maximum are %v, %v and %v, and those of its histogram %v, %v and %v", r.Mean, r.Median, r.Max, h.Mean(), h.Quantile(.5), h.Max())
	}
	return nil
}

// check says in one sentence what is wrong with r.
func (r *Record) check() error {
	switch {
	case r.RunName == "" || r.Benchmark == "":
		return errors.New("record: the name of the run or of the benchmark is missing")
	case r.Ranks > bounds.Ranks:
		return fmt.Errorf("record: %d ranks: at most %d can be merged", r.Ranks, bounds.Ranks)
	case r.Rank < 0 || r.Rank >= r.Ranks:
		return fmt.Errorf("record: rank %d among %d: the rank must be from 0 to one less than the ranks", r.Rank, r.Ranks)
	case r.Result == nil:
		return errors.New("record: it is without a result")
	}
	if err := cmp.Or(bounds.Benchmark(r.Benchmark), bounds.RunName(r.RunName)); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return r.checkTexts()
}
