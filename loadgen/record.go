package loadgen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Record is a result in a file of its own: what stands behind one line of a
// benchmark, or what one agent of many measured.
type Record struct {
	// Run names the run of which this is a part: only records of one run may
	// be merged. It may not be empty.
	Run string `json:"run"`
	// Name is that of the benchmark line, as in "BenchmarkEcho/size=1KiB".
	Name string `json:"name"`
	// Rank, from 0, is the agent's among Size of them; 0 of 1 for the whole.
	Rank int `json:"rank"`
	Size int `json:"size"`
	// Start is when the run started, after its warm-up.
	Start time.Time `json:"start"`
	// Config is what stays the same for a run, as versions and the machine.
	Config map[string]string `json:"config,omitempty"`
	// Metrics are the values of the line by unit.
	Metrics map[string]float64 `json:"metrics,omitempty"`

	// Mean, Median and Max of Result.Response, for readers without a use for
	// histograms. WriteFile sets them.
	Mean   time.Duration `json:"mean_ns"`
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	// Result is all that was measured, in the form of Result.MarshalJSON.
	Result *Result `json:"result"`
}

// WriteFile writes r into a new file of the directory, which is made if need
// be, and returns its path. A file is there whole or not at all.
func (r *Record) WriteFile(dir string) (path string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	r.Mean, r.Median, r.Max = r.Result.Response.Mean(), r.Result.Response.Quantile(.5), r.Result.Response.Max()
	data, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	part, err := os.CreateTemp(dir, ".part-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(part.Name()) // fails when it has become the record
	_, err = part.Write(append(data, '\n'))
	if err = errors.Join(err, part.Chmod(0o666), part.Close()); err != nil {
		return "", err
	}
	path = filepath.Join(dir, r.fileName())
	return path, os.Rename(part.Name(), path)
}

// fileName tells lines, their repeats and their ranks apart.
func (r *Record) fileName() string {
	name := strings.Map(func(c rune) rune {
		if c == '/' || c == '\\' || c == 0 {
			return ','
		}
		return c
	}, strings.TrimPrefix(r.Name, "Benchmark"))
	at := r.Start.UTC().Format("20060102T150405.000000000")
	return fmt.Sprintf("%.150s,%s,%d-of-%d.json", name, at, r.Rank, r.Size)
}

// ReadRecord reads what WriteFile wrote; the error names the file.
func ReadRecord(path string) (*Record, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Record)
	if err = json.Unmarshal(data, r); err == nil {
		err = r.check()
	}
	if err == nil && !bytes.HasSuffix(data, []byte("\n")) {
		err = errors.New("loadgen: a record that does not end with a line: was it cut off?")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func (r *Record) check() error {
	switch {
	case r.Run == "" || r.Name == "":
		return errors.New("loadgen: a record without the name of its run or line")
	case r.Rank < 0 || r.Rank >= r.Size:
		return fmt.Errorf("loadgen: a record of rank %d among %d: the rank must be from 0 to one less than the size", r.Rank, r.Size)
	case r.Result == nil:
		return errors.New("loadgen: a record without a result")
	case !strings.HasPrefix(r.Name, "Benchmark") || strings.ContainsAny(r.Name, " \t\r\n"):
		return fmt.Errorf("loadgen: a record of %q: the name must be that of a benchmark line, as in BenchmarkEcho/size=1KiB", r.Name)
	}
	return nil
}
