// Loadmerge puts the records of a run's agents together, without loss, and
// prints benchmark lines, which benchstat reads.
//
//	loadmerge [-partial] [-o DIR] [-require CONDITIONS] DIR|FILE...
//
// A directory stands for the records in it: the .json files but hidden ones, such as
// ._X.json and .part-7-X.json, directories, pipes and devices, and files that are no
// records by their name, by their beginning and by their keys. Which of them are left
// out is told on stderr, in one line. What was a record and is damaged is an error, and
// so is a file that is given by its name and is no record. All files must be records of
// one run, and the ranks of a benchmark have run at one time. Each benchmark needs
// the record of every rank, once. With -partial, ranks may be missing: the line then
// covers the others, and a comment after it, which begins with #, names the missing
// ranks. With -o the merged records are written too, each as if one agent had made
// all the calls.
//
// A line has the metrics that can be computed from all the calls together, and
// CPU per call. Other metrics of a record, such as memory, belong to one process
// and are left out. Warnings and failures are printed as comments, and so is what
// differs that ranks of one run have in common: versions, the length of the run, and the
// rate, of 10,000 calls or more.
//
// The exit code is 1 if the records cannot be merged or a condition of -require is not
// met, by all the calls together, and 2 if the command line is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
	"github.com/rpcbench/rpcbench/loadgen/internal/condition"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

const usage = `Usage: loadmerge [-partial] [-o DIR] [-require CONDITIONS] DIR|FILE...

Merges the records of a run's agents and prints benchmark lines. A directory
stands for the records in it; hidden files, and .json files that are no
records, are left out. A record that is damaged is an error.

`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) (exitCode int) {
	fs := flag.NewFlagSet("loadmerge", flag.ContinueOnError)
	o := options{stdout: stdout, stderr: stderr}
	o.register(fs)
	err := commandline.Parse(fs, args, nil)
	if err == nil {
		err = checkArgs(fs.Args())
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err = fmt.Fprint(stdout, usage, commandline.Help(fs))
	case err != nil:
		return complain(stderr, 2, err)
	default:
		err = o.merge(fs.Args())
	}
	if err != nil {
		return complain(stderr, 1, err)
	}
	return 0
}

// options are what the flags say, and where is printed.
type options struct {
	partial        bool
	out            string   // "" writes no records
	required       []string // conditions of loadgen
	stdout, stderr io.Writer
}

func (o *options) register(fs *flag.FlagSet) {
	fs.BoolVar(&o.partial, "partial", false, "merge what is there when ranks are missing")
	fs.StringVar(&o.out, "o", "", "`directory` to write the merged records into")
	fs.Func("require", "`conditions` that all calls together must meet, as in 'p99<200ms,errors<0.1%'", func(text string) error {
		_, err := condition.Parse(text)
		o.required = append(o.required, text)
		return err
	})
}

// complain prints an error, each line of it with the command's name.
func complain(stderr io.Writer, code int, why error) int {
	for line := range strings.SplitSeq(why.Error(), "\n") {
		fmt.Fprintf(stderr, "loadmerge: %s\n", foreign.Line(line))
	}
	return code
}

func checkArgs(args []string) error {
	if len(args) == 0 {
		return errors.New("no records: give their directory, or files; -h prints help")
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			return fmt.Errorf("%s comes after a file: flags come first", arg)
		}
	}
	return nil
}

// merge merges the records at the paths, prints their lines, and returns an error if they do
// not meet the conditions. What it left out goes to stderr.
func (o *options) merge(paths []string) error {
	parts, others, err := readAll(paths)
	if text := leftOut(others); text != "" {
		fmt.Fprintf(o.stderr, "loadmerge: %s\n", foreign.Line(text))
	}
	if err != nil {
		return err
	}
	lines, err := merge(parts, o.partial)
	if err != nil {
		return err
	}
	if err := o.write(lines); err != nil {
		return err
	}
	if err := printLines(o.stdout, lines); err != nil {
		return err
	}
	return o.demand(lines)
}

func (o *options) write(lines []line) error {
	for _, l := range lines {
		if o.out == "" {
			break
		}
		if _, err := l.record.Write(o.out); err != nil {
			return err
		}
	}
	return nil
}

// demand returns an error for each line that does not meet the conditions.
func (o *options) demand(lines []line) (err error) {
	if len(o.required) == 0 {
		return nil
	}
	for _, l := range lines {
		if e := l.record.Result.Require(o.required...); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %s", l.record.Benchmark, strings.TrimPrefix(e.Error(), "loadgen: ")))
		}
	}
	return err
}
