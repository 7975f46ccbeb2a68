// Benchgate compares benchmark results of head with those of base, and its
// exit code says whether head may pass:
//
//	benchgate [-dedicated] [-lines n] base.txt [base2.txt] head.txt
//
// The files hold what benchmark binaries printed by turns, as benchrounds has
// them run, so that lines in the same place are pairs, measured side by side;
// base2 is of the very binary of base, and shows by how much a binary differs
// from itself. Of each row, which is a case and a unit, a line says what was
// found and why it fails or not. These fail:
//
//   - a case of base that head does not have;
//   - a case with another number of result lines than expected;
//   - calls that failed;
//   - a value of an exact unit (assume=exact) in head that base never had;
//   - with -dedicated, a time (ns/op, p50-ns or CPU time per call) that got
//     worse than both of base with p < 0.001 (Student's paired test of the
//     logarithms) by more than 5 % and by more than twice the difference of base2
//     from base.
//
// Times of a machine that others use as well are noise, so that without
// -dedicated they are only reported.
//
// The exit code is 0 to pass, 1 to fail, and 2 for input that cannot be judged:
// a file with a failed benchmark, a broken line, NaN or an infinity, a line
// with neither calls/s nor ns/op, no results, or results of several machines.
// No such file should reach benchstat either, which takes all memory for NaN.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	var r rule
	flag.Usage = usage
	flag.BoolVar(&r.dedicated, "dedicated", false, "the machine does nothing else: fail on times as well")
	flag.IntVar(&r.lines, "lines", 0, "result `lines` that each case must have; 0 for as many as the case with the most")
	flag.Parse()
	pass, err := gate(r, flag.Args(), os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "benchgate: %v\n", err)
		os.Exit(2)
	}
	if !pass {
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(flag.CommandLine.Output(), "usage: benchgate [-dedicated] [-lines n] base.txt [base2.txt] head.txt\n\nFails when head is worse than base; base2 is base once more, to know the noise.")
	flag.PrintDefaults()
}

// gate judges files and prints what it finds; an error says why they cannot be
// judged.
func gate(r rule, files []string, w io.Writer) (pass bool, err error) {
	if n := len(files); n != 2 && n != 3 {
		return false, fmt.Errorf("%d files given; must be base.txt [base2.txt] head.txt", n)
	}
	read := make([]*results, len(files))
	for i, name := range files {
		if read[i], err = readResults(name); err != nil {
			return false, err
		}
	}
	if err := r.check(read); err != nil {
		return false, err
	}
	return show(w, r.judge(read)), nil
}

// show writes the rows of a case below its name, and reports whether none
// failed.
func show(w io.Writer, list []verdict) (pass bool) {
	last, count := "", map[string]int{}
	for _, v := range list {
		if v.name != last {
			fmt.Fprintln(w, v.name)
		}
		fmt.Fprintf(w, "  %-6s  %s\n", v.status, v.why)
		last, count[v.status] = v.name, count[v.status]+1
	}
	fmt.Fprintf(w, "of %d: %d fail, %d slower (which fails with -dedicated alone), %d faster\n", len(list), count[fail], count[slower], count[faster])
	return count[fail] == 0
}
