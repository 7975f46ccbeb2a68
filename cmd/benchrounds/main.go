// Benchrounds runs benchmark binaries in rounds, for figures that can be compared: it starts a
// fresh process each time, since repeats inside one process share its luck, and keeps the lines.
//
//	benchrounds [-n rounds] [-within percent] [-turns n] [-add | -continue] [-build command] [-then command] [-only FILE=ARGUMENT]... FILE=BINARY... -- ARGUMENTS...
//
// Each turn runs every binary once, with the arguments, and appends what it
// prints to its file; a file that was there before is kept with .old behind its
// name. With -add the lines are added to it instead. With -continue the file says with # which runs
// it has, and another benchrounds with the same arguments measures what is missing. Binaries of one FILE make one
// table, as the frameworks' own do. The first of several files are compared, and so
// are the second: they run one after the other. All are so interleaved, in another
// order each turn, which makes them comparable. A round is one turn, or several short
// ones. A machine's speed changes within seconds, so that short turns compare binaries
// at more nearly the same speed.
//
// With -within=10, a binary with a figure whose 95 % interval is wider than ±10 % of it after
// -n rounds runs in further rounds, until all are narrower or -most rounds are done. -unit says
// which figures count, without it the CPU time of a call on both sides.
//
// With -only=FILE=ARGUMENT the binaries of FILE get one more argument, after the common ones.
// So the same binary can be measured in two ways in the same rounds, one run after the other:
//
//	benchrounds -only=on.txt=-anatomy=profiles off.txt=grpc.test on.txt=grpc.test -- -test.bench=Echo
//
// The flag may be given several times. FILE ends at the first =.
//
// With -build='make -s', a binary is made by make -s BINARY before its first turn.
// Nothing is measured meanwhile, for a compiler would take the CPUs; the first
// binary's results are there before the second is built.
//
// A binary that is built again during the rounds ends the run: the rounds would be of two
// builds.
//
// A binary of which the arguments select no case is left out, which a line on
// standard error says, and a line with # in its file.
//
// Binaries get the environment without what git tells a hook, without proxies, as of
// HTTPS_PROXY, without settings of one framework, as of GRPC_, and with GOWORK=off. The
// command of -build gets proxies and settings as well. A line with # at the head of a file
// names what was left out.
//
// With -then='benchreport -table=-', benchreport -table=- FILE... shows the results at the end,
// on standard output: also after an interrupt, and where some binaries failed. Without any
// result it does not run. The command of -build makes its program as well, after the first turn,
// so that the first results need not wait for it. What binaries that succeeded say in lines with # is then in the files
// alone, for that command to sum up.
//
// Progress goes to standard error. On a terminal it is one line: which case of how many, and of
// how long a time how much is behind. In a file it is the expected time at the beginning, where
// the binaries tell it, a line for each build, and one for each round. Numbers with ~ are
// estimated, by the binaries that are built. What a build downloads is told by progress, and
// what else it prints at its end.
//
// Arguments that no rounds can have are refused, as -test.count=2: the rounds are the
// repeats. So is a profile, since each process would write over that of the one before.
//
// Of binaries that do not know -cases, which package suite gives them, every
// case is run once beforehand to count them. The exit code is 1 if a binary
// failed or printed another number of results than it has cases, or if a file cannot
// be written, which ends the run; 2 if there is no result at all; and 130 after an
// interrupt or when the terminal is closed, which ends the binary under way and keeps
// the results printed until then. A second Ctrl-C ends benchrounds at once. On Linux no
// binary outlives a benchrounds that is killed.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/given"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
	file "github.com/rpcbench/rpcbench/cmd/internal/target"
)

func main() {
	rounds := flag.Int("n", 6, "`rounds` to run")
	turns := flag.Int("turns", 1, "`times` that a round runs every binary")
	within := flag.Float64("within", 0, "`percent`: further rounds measure again what has a figure with a 95 % interval wider than ± this part of it; 0: none")
	most := flag.Int("most", 20, "`rounds` at most, with -within")
	units := flag.String("unit", defaultUnits, "`UNIT,UNIT...` of the figures that -within looks at")
	add := flag.Bool("add", false, "add the lines to files that are there already")
	again := flag.Bool("continue", false, "go on with the files of a run that was interrupted: what they have of it is not measured again")
	with := flag.String("build", "", "`command` that builds a binary, whose name is put behind it: each is built before its first turn, while nothing is measured")
	then := flag.String("then", "", "`command` that shows the results, with the files behind it: it runs at the end, also after an interrupt or a failure, if there is any result")
	var only extras
	flag.Var(&only, "only", "`FILE=ARGUMENT` gives the binaries of FILE one more argument, after the common ones; may be given several times")
	arguments.Read(usage)
	targets, args, err := parseTargets(flag.Args())
	if err == nil {
		err = only.addTo(targets)
	}
	if err == nil {
		err = check(targets, args)
	}
	if err == nil && *rounds <= 0 {
		err = fmt.Errorf("-n=%d: must be more than 0", *rounds)
	}
	if err == nil && *turns <= 0 {
		err = fmt.Errorf("-turns=%d: must be more than 0", *turns)
	}
	if err == nil && *add && *again {
		err = errors.New("-add adds other runs to files, and -continue goes on with those in them: give one")
	}
	until := precision{percent: *within, most: *most, units: strings.Split(*units, ",")}
	if err == nil {
		err = until.check(*rounds)
	}
	if err != nil {
		exit(2, err)
	}
	ctx, stop := ends.Context()
	defer stop()
	w := work{rounds: *rounds, turns: *turns, until: until, add: *add, again: *again, build: strings.Fields(*with), targets: targets, args: args, then: strings.Fields(*then)}
	line := status.Stderr()
	kept, err := w.run(ctx, line)
	code, err := ended(ctx, kept, err)
	say(err)
	if kept > 0 {
		err = w.show(line)
		code = cmp.Or(code, codeOf(ctx, err))
		say(err)
	}
	os.Exit(code)
}

// codeOf is the exit code by what became of the command that shows the results.
func codeOf(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return 0
	case ends.Interrupted(ctx, err):
		return 130
	}
	return 1
}

// ended returns the exit code of a run, and why it is not 0.
func ended(ctx context.Context, kept int, err error) (code int, why error) {
	switch {
	case ctx.Err() != nil:
		return 130, fmt.Errorf("interrupted, %d results kept; percentiles may rest on too few calls, since they count on all rounds", kept)
	case err == nil:
		return 0, nil
	case kept == 0 && !errors.As(err, new(errLost)):
		return 2, err
	}
	return 1, err
}

// check says which file or argument cannot be had, before anything is measured.
func check(targets []target, args []string) error {
	for _, t := range targets {
		if err := file.Check(t.file); err != nil {
			return err
		}
		if err := given.Check(slices.Concat(args, t.only)); err != nil {
			return err
		}
	}
	return nil
}

func exit(code int, why error) {
	say(why)
	os.Exit(code)
}

// say tells an error, if there is one.
func say(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "benchrounds: %v\n", err)
	}
}

const usage = `benchrounds [flags] FILE=BINARY... -- ARGUMENTS...

Runs each binary in rounds with the arguments, and those that -only gives its file, and appends
its lines to its file.`
