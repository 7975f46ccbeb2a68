package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/verdict"
	"github.com/rpcbench/rpcbench/cmd/internal/benchtime"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// The files that keep the lines, and the one of all that is said of them.
const (
	baseFile  = "bench-base.txt"
	againFile = "bench-base2.txt"
	headFile  = "bench-head.txt"
	allFile   = "bench-diff.md"
)

// partTime is the argument that gives a turn its part of the time, or of the
// calls, that args give a case.
func partTime(args []string) (string, error) {
	given := benchtime.Of(args)
	if calls, found := strings.CutSuffix(given, "x"); found {
		n, err := strconv.Atoi(calls)
		return fmt.Sprintf("-test.benchtime=%dx", max(n/turns, 1)), err
	}
	d, err := time.ParseDuration(given)
	return fmt.Sprintf("-test.benchtime=%v", d/turns), err
}

// runTurns runs the binaries of a pair, as often as times says. It reports whether all runs went
// well.
func runTurns(ctx context.Context, rounds workshop.Found, p pair, times, args []string) (ran bool, err error) {
	cmd, err := workshop.Rounds(ctx, rounds, slices.Concat(
		times, each(baseFile, p.base), each(againFile, p.again), each(headFile, p.head), []string{"--"},
		workshop.BenchmarksOnly(), p.args, args)...)
	if err != nil {
		return false, err
	}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if ran, err = workshop.Exited(cmd.Run(), 1); err != nil {
		err = fmt.Errorf("nothing was measured: %w", err)
	}
	return ran, err
}

// each are the arguments that have a file keep the lines of binaries.
func each(file string, binaries []string) (list []string) {
	for _, binary := range binaries {
		list = append(list, file+"="+binary)
	}
	return list
}

// read reads the files that keep the lines.
func read() (files [3]*verdict.Results, err error) {
	for i, name := range []string{baseFile, againFile, headFile} {
		if files[i], err = verdict.Read(name); err != nil {
			return files, err
		}
	}
	return [3]*verdict.Results(verdict.Together(files[:]...)), nil
}
