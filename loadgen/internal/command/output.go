package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/bounds"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// output is where results go.
type output struct {
	name, json, csv string
	quiet           bool
}

func (o *output) register(fs *flag.FlagSet) {
	fs.StringVar(&o.json, "json", "", "`file` for all that was measured, as a record, which benchreport and jq read; - is standard output")
	fs.StringVar(&o.csv, "csv", "", "`file` for a table of the whole and of each interval; - is standard output")
	fs.StringVar(&o.name, "name", "", "`name` of the run in records, as in HTTP/rate=500, which is the default")
	fs.BoolVar(&o.quiet, "quiet", false, "do not tell how the run goes on")
}

// check makes sure that the files can be written, before there is something to be lost.
func (o *output) check() error {
	if o.json != "" && o.csv != "" && filepath.Clean(o.json) == filepath.Clean(o.csv) {
		return fmt.Errorf("-json=%s and -csv=%s: there is room for one of them", o.json, o.csv)
	}
	if o.name != "" {
		if err := bounds.Benchmark("Benchmark" + o.name); err != nil {
			return fmt.Errorf("-name: %w", err)
		}
	}
	for _, file := range []struct{ flag, path string }{{"json", o.json}, {"csv", o.csv}} {
		if file.path == "" || file.path == "-" {
			continue
		}
		f, err := os.OpenFile(file.path, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return fmt.Errorf("-%s: %w", file.flag, err)
		}
		f.Close()
	}
	return nil
}

// checkDirectory makes sure that a file can be made in a directory, which is made; "" is none.
func checkDirectory(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(path, ".part-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// write writes the files and prints the report. Where standard output is for a file, the report
// goes to stderr. The files come first, since a process ends that writes to a pipe which nobody
// reads.
func (o *output) write(stdout, stderr io.Writer, r *record.Record) error {
	report := stdout
	if o.json == "-" || o.csv == "-" {
		report = stderr
	}
	title := strings.TrimPrefix(r.Benchmark, "Benchmark")
	if r.Ranks > 1 {
		title += fmt.Sprintf(", rank %d of %d", r.Rank, r.Ranks)
	}
	err := errors.Join(
		toFile(o.json, stdout, r.Encode),
		toFile(o.csv, stdout, func(w io.Writer) error { return record.WriteCSV(w, r.Result) }))
	_, lost := fmt.Fprintf(report, "%s: %v\n", title, r.Result)
	return errors.Join(err, lost)
}

// toFile writes a file, whatever it held before; "" is none.
func toFile(path string, stdout io.Writer, write func(io.Writer) error) error {
	switch path {
	case "":
		return nil
	case "-":
		return write(stdout)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
