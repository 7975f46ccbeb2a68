//go:build unix

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// help is what -h prints before the flags.
const help = `Usage: truth [FLAG...]

truth has load generators call servers whose response times follow from arithmetic, and prints
what each tool said beside what was true. Each run of a cell leaves a record in -dir, and is not
repeated unless it failed: an interrupted table goes on where it was. A cell is KIND/PROTOCOL/TOOL/MODE; -list
lists them.

%s`

// options are the flags, as they are given.
type options struct {
	dir, toolsDir string
	seed          int64
	runs          int
	time          time.Duration
	only          string
	table, list   bool

	pattern *regexp.Regexp // of only
}

// flags registers the flags.
func (o *options) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("truth", flag.ContinueOnError)
	fs.StringVar(&o.dir, "dir", "truth", "the `directory` of the records")
	fs.StringVar(&o.toolsDir, "tools-dir", "", "the `directory` of the tools; rpcbench/truth in the user's cache directory if it is empty")
	fs.Int64Var(&o.seed, "seed", 1, "the `seed` of servers and of random arrivals; only records with it are in the table")
	fs.IntVar(&o.runs, "runs", 3, "runs of each cell, of which the table has the medians; closed loops, which nothing is compared with, have one")
	fs.DurationVar(&o.time, "time", 10*time.Second, "how long a run is; freezes and stops scale with it")
	fs.StringVar(&o.only, "only", "", "a regular `expression` for the names of cells to measure, as in frozen/http/(vegeta|loadgen); all if it is empty")
	fs.BoolVar(&o.table, "table", false, "print the tables of the records, and measure nothing")
	fs.BoolVar(&o.list, "list", false, "list the cells, and measure nothing")
	return fs
}

// The bounds of a run: a shorter one has no p99 to speak of.
const (
	shortest = time.Second
	longest  = 10 * time.Minute
	mostRuns = 100
)

// check returns an error for what is wrong with the flags, and fills in what follows from them.
func (o *options) check(rest []string) (err error) {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q: there are flags alone, and no arguments; -h lists the flags", rest[0])
	case o.dir == "":
		return errors.New("-dir is empty: it must name the directory of the records")
	case o.seed < 0:
		return fmt.Errorf("-seed=%d: must be at least 0", o.seed)
	case o.runs < 1 || o.runs > mostRuns:
		return fmt.Errorf("-runs=%d: must be at least 1, and at most %d", o.runs, mostRuns)
	case o.time < shortest || o.time > longest || o.time%time.Second != 0:
		return fmt.Errorf("-time=%v: must be whole seconds, from %v to %v", o.time, shortest, longest)
	case o.table && o.list:
		return errors.New("-table and -list exclude each other")
	}
	if o.pattern, err = regexp.Compile(o.only); err != nil {
		return fmt.Errorf("-only=%s: %w", o.only, err)
	}
	if o.toolsDir == "" {
		o.toolsDir, err = cached()
	} else {
		o.toolsDir, err = filepath.Abs(o.toolsDir)
	}
	return err
}

// cached is the directory of the tools if -tools-dir names none.
func cached() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("-tools-dir is needed, since there is no cache directory: %w", err)
	}
	return filepath.Join(base, "rpcbench", "truth"), nil
}
