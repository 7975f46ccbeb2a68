// Benchanatomy says into which parts the CPU time of a call goes, on each side, for authors of
// frameworks who want to know what to make cheaper.
//
//	benchanatomy [-functions n] [-part BEGINNING=PART]... DIR [OFF.txt ON.txt]
//	benchanatomy -base BASE [-part BEGINNING=PART]... DIR
//
// DIR is what benchmarks wrote with the suite's flag -anatomy: a record of each line with CPU
// profiles of client and server. Of each side there is a table: µs of CPU time of a call by part,
// which add up to what the line says, with its 95 % interval. How much CPU time there is comes
// from the clock of the process, and how it is spent from samples at ticks. Where the number of
// samples does not go with the clock within 10 % a warning says so.
//
// A sample belongs to the innermost frame that has a part: a copy by a serializer to the copies,
// its own code to the serializer. Package cmd/internal/anatomy has the table of parts, with
// reasons. What is in no line of it is the rest; -part=github.com/me/rpc=framework adds a line. An
// interval is of the part's share of its side: by how much another run is slower as a whole is
// not in it. Parts in parentheses rest on fewer than 100 samples.
//
// With -functions=10 the largest functions of each side follow: code of frameworks,
// serializers and ours, each with what it calls of the runtime and of Go's library, by part.
//
// OFF.txt and ON.txt are the lines of the same rounds without and with the profiler: its cost is
// said, as the change of the CPU time of a call.
//
// Benchanatomy writes into DIR: parts.txt, a line of benchmarks for each part, side and round,
// which benchstat compares and benchreport draws; and beside each profile its folded stacks,
// which tools for flame graphs read. Where profiles are not there, folded stacks will do.
//
// With -base it compares two directories, as of two settings of the Go runtime that were measured
// in turns: which parts and functions of DIR differ from BASE, in µs and with intervals, round by
// round. That takes 11 rounds. Of a change in code, bench-diff -anatomy measures the rounds itself.
//
// Only threads of the two processes are seen. What the kernel does for a connection in other
// threads, or on other CPUs, is in no part. What it does inside a system call is in that.
//
// The exit code is 1 if a directory cannot be read or written, or its profiles are of two builds,
// and 2 if the command line is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/benchreport/whole"
	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/moved"
)

const usage = `benchanatomy [flags] DIR [OFF.txt ON.txt]

Says where the CPU time of a call goes, of profiles that -anatomy=DIR wrote.`

func main() {
	functions := flag.Int("functions", 0, "`number` of functions of each side to list, the largest first")
	base := flag.String("base", "", "`directory` of another -anatomy, to say in what DIR differs from it")
	own := parts{}
	flag.Var(own, "part", "`BEGINNING=PART` gives a part to functions whose names begin so, as github.com/me/rpc=framework; may be repeated")
	args := arguments.ReadMixed(usage)
	if err := check(*functions, *base, args); err != nil {
		exit(2, err)
	}
	t := anatomy.NewTable(own)
	tell := func() error { return run(t, *functions, args) }
	if *base != "" {
		tell = func() error { return compare(t, *base, args[0]) }
	}
	if err := tell(); err != nil {
		exit(1, err)
	}
}

func check(functions int, base string, args []string) error {
	switch {
	case functions < 0:
		return fmt.Errorf("-functions=%d: must be 0 or more", functions)
	case len(args) == 0:
		return errors.New("no directory of -anatomy given; see -h")
	case base != "" && (functions > 0 || len(args) > 1):
		return errors.New("-base compares two directories: leave -functions and files of lines out")
	case len(args) != 1 && len(args) != 3:
		return errors.New("give the directory of -anatomy, and behind it none or two files: lines without and with the profiler")
	}
	return nil
}

func exit(code int, why error) {
	fmt.Fprintf(os.Stderr, "benchanatomy: %v\n", foreign.Error(why))
	os.Exit(code)
}

// compare says in what the profiles of a directory differ from those of base.
func compare(t *anatomy.Table, base, dir string) error {
	before, err := read(base)
	if err != nil {
		return err
	}
	after, err := read(dir)
	if err != nil {
		return err
	}
	c := moved.Changes{}
	if c.Parts, c.Functions = t.Changes(before, after); len(c.Parts) == 0 {
		return fmt.Errorf("%s and %s have no benchmark in common", base, dir)
	}
	_, err = os.Stdout.WriteString(c.Tables(mostLines))
	return err
}

// read reads a directory, and says which records are left out.
func read(dir string) ([]anatomy.Run, error) {
	runs, left, err := anatomy.ReadDir(dir)
	if left != "" {
		fmt.Fprintf(os.Stderr, "benchanatomy: %s\n", foreign.Line(left))
	}
	return runs, err
}

// mostLines are printed of a comparison.
const mostLines = 100

func run(t *anatomy.Table, functions int, args []string) error {
	runs, err := read(args[0])
	if err != nil {
		return err
	}
	if err := keep(t, args[0], runs); err != nil {
		return err
	}
	text := newText(t.Sides(runs), functions)
	if len(args) == 3 {
		cost, err := costOf(args[1], args[2])
		if err != nil {
			return err
		}
		text.cost = cost
	}
	_, err = os.Stdout.WriteString(text.String())
	return err
}

// keep writes the lines of parts, and folded stacks beside profiles.
func keep(t *anatomy.Table, dir string, runs []anatomy.Run) error {
	for _, r := range runs {
		if err := r.WriteFolded(); err != nil {
			return err
		}
	}
	return whole.Write(filepath.Join(dir, "parts.txt"), func(w io.Writer) error { return t.WriteLines(w, runs) })
}
