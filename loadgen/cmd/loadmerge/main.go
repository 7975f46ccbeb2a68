// Loadmerge puts the records of a run's agents together, without loss, and
// prints benchmark lines, which benchstat reads.
//
//	loadmerge [-partial] [-o DIR] DIR|FILE...
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
// The exit code is 1 if the records cannot be merged, and 2 if the command
// line is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

const usage = `Usage: loadmerge [-partial] [-o DIR] DIR|FILE...

Merges the records of a run's agents and prints benchmark lines. A directory
stands for the records in it; hidden files, and .json files that are no
records, are left out. A record that is damaged is an error.

`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) (exitCode int) {
	fs := flag.NewFlagSet("loadmerge", flag.ContinueOnError)
	partial := fs.Bool("partial", false, "merge what is there when ranks are missing")
	out := fs.String("o", "", "`directory` to write the merged records into")
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
		err = loadmerge(fs.Args(), *partial, *out, stdout, stderr)
	}
	if err != nil {
		return complain(stderr, 1, err)
	}
	return 0
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

// loadmerge merges the records at the paths and prints their lines; what it left out goes
// to stderr.
func loadmerge(paths []string, partial bool, out string, stdout, stderr io.Writer) error {
	parts, others, err := readAll(paths)
	if text := leftOut(others); text != "" {
		fmt.Fprintf(stderr, "loadmerge: %s\n", foreign.Line(text))
	}
	if err != nil {
		return err
	}
	lines, err := merge(parts, partial)
	if err != nil {
		return err
	}
	for _, l := range lines {
		if out == "" {
			break
		}
		if _, err := l.record.Write(out); err != nil {
			return err
		}
	}
	return printLines(stdout, lines)
}
