// Benchdiff tells the author of a change whether it makes benchmarks slower: those of
// the package in the current directory, or of several below it. It builds a test binary
// of base and one of head, runs base, base again and head alternately, in ten short turns
// a round, judges every benchmark and unit, and says in 60 lines at most what changed.
//
//	benchdiff [-base ref] [-pkg packages] [-rounds n] [-dedicated] [-mixed] [-anatomy] -- ARGUMENTS...
//	benchdiff -mod module -a version -b version [-pkg packages] [-rounds n] [-dedicated] [-mixed] [-anatomy] -- ARGUMENTS...
//	benchdiff -counts turns [-base ref] [-pkg packages] [-mixed] -- ARGUMENTS...
//
// Base is a commit, built in a worktree of its own that is removed afterwards,
// and head is the working tree as it is. With -mod both are the last commit,
// in worktrees where go.mod requires the module at version a and at version b;
// so do the modules that go.mod replaces by directories, where they require it.
// The binaries must print the version that runs, as package suite has it, in a
// configuration line.
//
// With -pkg=./frameworks/grpc,./frameworks/tcp each package has a binary of its own,
// and base, base again and head of one run one after the other. The packages are of
// frameworks and have a bench_test.go with package suite. They leave out the references
// that each has beside its framework, unless the arguments have -references=true: raw TCP
// takes time, and is measured where its own package is given. Where base has none of
// them, or one without a bench_test.go, the package in the current directory is
// compared on both sides, with -framework=grpc,tcp, and the first line says so; it
// leaves out packages that are modules of their own. Benchmarks that have one name in two
// packages are rows of their own, which name the package. With -mod packages are left out
// that do not depend on the module, or whose binaries do not print its version.
//
// The arguments are for the binaries, as in -test.bench=Echo -conc=100; only
// what both know can be compared. -test.benchtime is the time of a benchmark in
// a round.
//
// With -counts=5 it judges what is counted, such as allocations, system calls and
// bytes on the wire, and no times. Each turn is a whole -test.benchtime, which is to be
// a fixed number of calls, as 1x for package suite's BenchmarkCount. Two turns tell of
// which benchmarks no count has risen; the others run five times. One more of what is
// exact fails, on any machine. Base again is the same binary then, since a code layout
// moves no count. If base has no such benchmark, the output is a sentence that says so,
// and the exit code is 0.
//
// With -anatomy it then runs base and head 24 times more, for a second each, with profiles of
// both sides, which are in bench-anatomy (Linux only; see benchanatomy). Below the verdict stand
// the parts of a call whose CPU time changed, and the ten functions that changed most, in µs of a
// call with intervals; of the others, within what they cannot be told to have changed. A
// function's time has in it what it calls of the runtime and of Go's library, by part. Nothing of
// it fails the comparison. Of a base whose binaries do not know -anatomy a sentence says so.
//
// The first line of the output is the sentence for a reviewer. The table has the
// change of each row, its interval, the change of base against itself (A/A), the
// change that would have been found, and a verdict. A table that would be long has
// only what changed. The last lines say how noisy base was. All rows are in
// bench-diff.md, whose Markdown is for a pull request. Package verdict documents
// the verdicts and what fails; package pairs documents the statistics. With
// GITHUB_ACTIONS set, the sentence is also printed as a ::warning:: when
// something is slower or allocates more, and as an ::error:: when something
// fails.
//
// Two binaries of the same source may differ by a few percent, by where the linker
// puts the code. So base again is linked with -randlayout=1, which puts functions in
// another order, and A/A has such a difference in it. One layout does not show what
// all others would do: it is one reason why only more than 5 % fails.
//
// Progress and the time left go to standard error. The lines stay in
// bench-base.txt, bench-base2.txt and bench-head.txt, which benchstat reads as
// well. An interrupt ends measuring, and so does a terminal that is closed: the turns
// that were finished are judged. On Linux nothing goes on when benchdiff is killed. What
// it leaves in the directory for temporary files, and git's entries of its worktrees,
// the next start removes, except on Windows. Benchdiff needs benchrounds, beside itself
// or in PATH, and git and go.
//
// Benchdiff works in a git hook. Git, go and the binaries get nothing that a hook is told
// of its repository, its index or its commit; the user's hooks do not run for the
// worktrees. Both sides are built with GOWORK=off, and the first line says which go.work
// would have been taken here. The binaries get no proxies, as of HTTPS_PROXY, which some
// frameworks take and others not, and no settings of one framework, as of GRPC_. Progress
// and the files say what was left out. A benchrounds that is built again meanwhile ends the
// run: the rest would be measured by another.
//
// Both sides have the rest of the environment of this process, with its GOGC, GOMEMLIMIT,
// GODEBUG, GOAMD64 and GOFLAGS=-pgo=FILE, and the CPUs that head's first binary chooses,
// by -pin, unless the arguments have it. All binaries run each case once beforehand, with
// -counts those of the first package: if their configuration lines say that a setting, of
// the runtime or of calls, differs all the same, nothing is compared without -mixed.
//
// The exit code is 1 when something fails, a run did, or a table cannot be written,
// 2 when there is nothing to compare, and 130 after an interrupt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/markdown"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

func main() {
	var o options
	flag.StringVar(&o.base, "base", "origin/main", "`commit` to compare the working tree with")
	flag.StringVar(&o.packages, "pkg", "", "`packages` to compare, by their directories, separated by commas; empty for the one in the current directory")
	flag.StringVar(&o.module, "mod", "", "compare two versions of this `module` instead")
	flag.StringVar(&o.a, "a", "", "`version` of the module that is the base")
	flag.StringVar(&o.b, "b", "", "`version` of the module that is compared with it")
	flag.IntVar(&o.rounds, "rounds", 10, "`rounds` to run, each of ten turns with a tenth of -test.benchtime")
	flag.BoolVar(&o.dedicated, "dedicated", false, "the machine does nothing else: fail also when something is slower, or allocates more, by more than 5 %")
	flag.BoolVar(&o.mixed, "mixed", false, "compare although settings of the Go runtime differ, as of a binary that sets its own GOGC")
	flag.IntVar(&o.countTurns, "counts", 0, "compare what is counted, not timed, in this many `turns`, 5 or more; 0 compares times")
	flag.BoolVar(&o.anatomy, "anatomy", false, "compare also where the CPU time of a call goes, by profiles of both sides, a minute or two for each benchmark")
	arguments.Read(usage)
	o.args = flag.Args()
	ctx, stop := ends.Context()
	defer stop()
	text, pass, err := o.run(ctx)
	if _, lost := fmt.Print(text); lost != nil {
		exit(1, lost)
	}
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

const usage = `benchdiff [flags] -- ARGUMENTS...

Compares the benchmarks here with those of a commit, or those of two versions of
a module. ARGUMENTS are those of their test binaries, as in -test.bench=Echo.`

// run builds, measures and compares; nothing but the results is left behind.
func (o options) run(ctx context.Context) (text string, pass bool, err error) {
	if err := o.check(); err != nil {
		return "", false, err
	}
	packages, err := parsePackages(o.packages)
	if err != nil {
		return "", false, err
	}
	rounds, err := workshop.FindRounds()
	if err != nil {
		return "", false, err
	}
	w, err := workshop.New(ctx, "benchdiff")
	if err != nil {
		return "", false, err
	}
	defer w.Close()
	p, err := o.pair(ctx, w, packages)
	if err != nil {
		return "", false, err
	}
	if o.countTurns > 0 && lacking(ctx, p.base, o.args) {
		text := foreign.Line(p.remark+fmt.Sprintf("Nothing was compared, since %s has no such benchmark; nothing fails.", p.baseName)) + "\n"
		_, kept := keepAll("**" + markdown.Text(strings.TrimSpace(text)) + "**\n")
		return text, kept, nil
	}
	return o.compare(ctx, rounds, p)
}

// pair builds the two sides, under the same conditions.
func (o options) pair(ctx context.Context, w *workshop.Workshop, packages []string) (p pair, err error) {
	without := withoutWorkspaces(w.Workspaces(ctx, packages))
	fmt.Fprint(os.Stderr, environ.Note(os.Environ()))
	if without != "" {
		fmt.Fprintln(os.Stderr, "benchdiff: "+without)
	}
	if o.module == "" {
		p, err = o.commit(ctx, w, packages)
	} else {
		p, err = o.versions(ctx, w, packages)
	}
	if without != "" {
		p.remark = without + " " + p.remark
	}
	return p, err
}

// withoutWorkspaces is a sentence about go.work files that nothing is built with.
func withoutWorkspaces(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return "Both sides are built without " + foreign.Line(strings.Join(files, " and ")) + "."
}
