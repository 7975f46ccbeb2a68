// Benchdiff measures what a change does to the benchmarks of the package in the
// current directory. It builds a test binary of base and one of head, runs
// base, base again and head by turns, ten short ones in each round, and prints
// benchstat's table of the three, where base again shows the noise, and what
// benchgate says of them.
//
//	benchdiff [-base ref] [-rounds n] [-dedicated] -- ARGUMENTS...
//	benchdiff -mod module -a version -b version [-rounds n] [-dedicated] -- ARGUMENTS...
//
// Base is a commit, built in a worktree of its own that is removed afterwards,
// and head is the working tree as it is. With -mod both are the last commit,
// in worktrees where go.mod requires the module at version a and at version b;
// so do the modules that go.mod replaces by directories, where they require it.
// The binaries must print the version that runs, as package suite has it, in a
// configuration line.
//
// The arguments are for the binaries, as in -test.bench=Echo -conc=100; only
// what both know can be compared. -test.benchtime is of a case in a round. The
// lines are left in bench-base.txt, bench-base2.txt and bench-head.txt. Benchdiff
// needs benchrounds, benchgate and benchstat, beside itself or in PATH, and git
// and go.
//
// The exit code is 1 when the gate fails or a run did, 2 when there is nothing
// to compare, and 130 after an interrupt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// options are what the command line says.
type options struct {
	base      string
	module    string
	a, b      string // versions of module
	rounds    int
	dedicated bool
	args      []string // of the binaries
}

func main() {
	var o options
	flag.Usage = usage
	flag.StringVar(&o.base, "base", "origin/main", "`commit` to compare the working tree with")
	flag.StringVar(&o.module, "mod", "", "compare two versions of this `module` instead")
	flag.StringVar(&o.a, "a", "", "`version` of the module that is the base")
	flag.StringVar(&o.b, "b", "", "`version` of the module that is compared with it")
	flag.IntVar(&o.rounds, "rounds", 10, "`rounds` to run, each of ten turns with a tenth of -test.benchtime")
	flag.BoolVar(&o.dedicated, "dedicated", false, "the machine does nothing else: fail on times as well; see benchgate")
	flag.Parse()
	o.args = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	pass, err := o.run(ctx)
	switch {
	case ctx.Err() != nil:
		exit(130, errors.New("interrupted"))
	case err != nil:
		exit(2, err)
	case !pass:
		os.Exit(1)
	}
}

func exit(code int, why error) {
	fmt.Fprintf(os.Stderr, "benchdiff: %v\n", why)
	os.Exit(code)
}

func usage() {
	fmt.Fprintln(flag.CommandLine.Output(), "usage: benchdiff [flags] -- ARGUMENTS...\n\nCompares the benchmarks here with those of a commit, or those of two versions of a module.")
	flag.PrintDefaults()
}

func (o options) check() error {
	switch {
	case o.rounds <= 0:
		return fmt.Errorf("-rounds=%d: must be more than 0", o.rounds)
	case o.module == "" && o.a+o.b != "":
		return errors.New("-a and -b are versions of a module: -mod must name it")
	case o.module != "" && (o.a == "" || o.b == ""):
		return fmt.Errorf("-mod=%s: -a and -b must give the versions to compare", o.module)
	}
	return nil
}

// run builds, measures and compares; nothing but the results is left behind.
func (o options) run(ctx context.Context) (pass bool, err error) {
	if err := o.check(); err != nil {
		return false, err
	}
	tools, err := findTools()
	if err != nil {
		return false, err
	}
	w, err := newWorkshop(ctx)
	if err != nil {
		return false, err
	}
	defer w.close()
	var p pair
	if o.module == "" {
		p, err = w.commit(ctx, o.base)
	} else {
		p, err = w.versions(ctx, o)
	}
	if err != nil {
		return false, err
	}
	return tools.compare(ctx, o, p)
}
