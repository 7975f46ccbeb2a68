package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/loadbench"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// records writes one record per result line into a directory. Package testing
// calls a benchmark with growing b.N and prints only the last round, so a record
// is written when the next line begins. The zero value writes nothing.
type records struct {
	flag    string // that asked for them
	dir     string // "" if no records are written
	run     string
	waiting *record.Record
	parts   []*record.Record  // of waiting, by rank; nil for those of one client or of -clients
	files   map[string][]byte // beside that of waiting, by what their names end in
	errs    []error
}

// runName returns a name that no other run has.
func runName() string {
	return fmt.Sprintf("%s-%d", time.Now().UTC().Format("20060102T150405.000"), os.Getpid())
}

// open makes the directory and tries to write to it, before anything is measured.
func (r *records) open(flag, dir string) error {
	if dir == "" {
		return nil
	}
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = tryWriting(dir)
	}
	if err != nil {
		return fmt.Errorf("-%s=%s: %w", flag, dir, err)
	}
	r.flag, r.dir, r.run = flag, dir, runName()
	return nil
}

func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".try-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// round keeps the record of a round. It replaces the record of an earlier round of the
// same line.
func (r *records) round(rec *record.Record, parts []*record.Record, files map[string][]byte) {
	if r.dir != "" {
		r.waiting, r.parts, r.files = rec, parts, files
	}
}

// PartsDir is the directory for the records of ranks, in that of the records of all.
const PartsDir = "ranks"

// write writes the kept record, after the last round of its line.
func (r *records) write() {
	if r.waiting == nil {
		return
	}
	r.waiting.Ranks = 1
	r.put(r.waiting, r.dir, r.files)
	for rank, part := range r.parts {
		part.Benchmark, part.Rank, part.Ranks = r.waiting.Benchmark, rank, len(r.parts)
		r.put(part, filepath.Join(r.dir, PartsDir), nil)
	}
	r.waiting, r.parts, r.files = nil, nil, nil
}

func (r *records) put(one *record.Record, dir string, files map[string][]byte) {
	one.RunName = r.run
	path, err := one.Write(dir)
	for end, data := range files { // what an interrupt leaves out, readers leave out
		if err == nil {
			err = os.WriteFile(strings.TrimSuffix(path, ".json")+end, data, 0o666)
		}
	}
	if err != nil {
		r.errs = append(r.errs, err)
	}
}

// close writes the kept record, and returns the errors of all writes.
func (r *records) close() error {
	r.write()
	if len(r.errs) == 0 {
		return nil
	}
	return fmt.Errorf("-%s=%s: %d records could not be written: %w", r.flag, r.dir, len(r.errs), r.errs[0])
}

// Metrics holds the metrics of a line, by unit. An ns/op of 0 is left out, as in a line.
type Metrics map[string]float64

var _ loadbench.Reporter = Metrics{}

// ReportMetric implements loadbench.Reporter.
func (m Metrics) ReportMetric(value float64, unit string) {
	if unit != "ns/op" || value != 0 {
		m[unit] = value
	}
}
