// Benchhistory finds the version with which calls became slower, for users and authors of a
// framework. It measures several versions side by side and keeps a record: releases of a
// module that the benchmarks of this repository use, or commits of the repository itself.
//
//	benchhistory [flags] -mod MODULE -versions V1,V2,… -- ARGUMENTS…
//	benchhistory [flags] -mod MODULE -newest 12 -- ARGUMENTS…
//	benchhistory [flags] -versions MODULE@V1,OTHER@V2,… -- ARGUMENTS…
//	benchhistory [flags] -commits A,B,… -pkg PACKAGES -- ARGUMENTS…
//
// Each version is built in a git worktree of the last commit, which is removed afterwards.
// A release is put in place of the module's version by a replacement in go.mod. Today's
// adapter measures it where it compiles with it. Where it does not, the frozen adapter
// beside it does (frameworks/NAME/frozen), and the record says which. A release that
// cannot be had, that neither adapter compiles with, or that does not answer, is refused:
// the record says why, and the others go on.
//
// It works in a git hook, and builds with GOWORK=off. Programs that are measured get no
// proxies, as of HTTPS_PROXY, and no settings of one framework, as of GRPC_; the record
// names what was left out of their environment. Versions that differ in pin or settings, as
// one that sets its own GOGC, are refused before the first round: a record is of one. A
// program that is built again during the rounds ends the run.
//
// All versions are measured in rounds, each in a process of its own, in another order each
// round. So is the reference, which is raw TCP at a commit that stays the same from record
// to record. In the first rounds calls are also counted (-counts), and servers started
// (-sizes). The arguments are for the test binaries, as in -test.bench=Echo -conc=100.
//
// The record is a text that benchfmt reads; package history documents it. It has whole
// rounds. The same command continues a run that was stopped, with the next round, if commit
// and machine are the same. -new begins another record.
//
// At the end it prints what changed from version to version. Package history documents
// how a step is found, and how often one is found where none is. benchreport -site draws
// the records of a directory.
//
// With -anatomy it then names functions: of the three releases with the largest steps of the CPU
// time of a call, each and the one before it run 24 times more, for a second each, with profiles
// of both sides (Linux only; it needs benchrounds, beside itself or in PATH). Of each side up to
// five functions follow that changed, with the part of a call, µs and the interval, or that none
// can be told. The record does not have it.
//
// -newest needs the module's list of versions. Where a proxy has none, it counts down from
// the version that go.mod requires: patches of a minor version, then the minor version
// before it, up to 3 questions for each release.
//
// The exit code is 1 if a process failed or a round could not be kept, 2 if there is
// nothing to measure, and 130 after an interrupt, which ends the round under way.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", "history", "`directory` of the records")
	flag.StringVar(&o.name, "name", "", "`name` that the record's file begins with; empty for the module's last element, or commits")
	flag.StringVar(&o.module, "mod", "", "`module` whose releases are measured")
	flag.StringVar(&o.versions, "versions", "", "`versions` of the module, separated by commas; without -mod each as MODULE@VERSION")
	flag.IntVar(&o.newest, "newest", 0, "measure this `number` of the module's newest releases that can be had, instead of -versions")
	flag.StringVar(&o.commits, "commits", "", "`commits` of this repository, separated by commas, instead of releases")
	flag.StringVar(&o.packages, "pkg", "", "`packages` to measure, by their directories, separated by commas; empty for frameworks/NAME, by the module's last element")
	flag.StringVar(&o.also, "also", "", "`package` that is measured beside the versions, as it is")
	flag.StringVar(&o.reference, "reference", "", "`commit` that the reference is built from; empty for that of the last record, or the last commit")
	flag.IntVar(&o.rounds, "rounds", 20, "`rounds` to run")
	flag.IntVar(&o.countRounds, "counts", 3, "`rounds` in which calls are counted, 0 for none")
	flag.IntVar(&o.sizeRounds, "sizes", 1, "`rounds` in which servers are started and programs weighed, 0 for none")
	flag.BoolVar(&o.fresh, "new", false, "begin a new record, though one of the same plan is not complete")
	flag.BoolVar(&o.anatomy, "anatomy", false, "name the functions behind the largest steps of CPU times, by profiles, a minute or two for each case")
	arguments.Read(usage)
	o.args = flag.Args()
	ctx, stop := ends.Context()
	defer stop()
	text, err := o.run(ctx)
	if _, lost := fmt.Print(text); lost != nil {
		exit(1, lost)
	}
	switch {
	case ctx.Err() != nil:
		exit(130, errors.New("interrupted; the same command goes on with the record"))
	case errors.As(err, new(failure)):
		exit(1, err)
	case err != nil:
		exit(2, err)
	}
}

func exit(code int, why error) {
	fmt.Fprintf(os.Stderr, "benchhistory: %v\n", why)
	os.Exit(code)
}

const usage = `benchhistory [flags] -- ARGUMENTS...

Measures versions of a module, or commits, in interleaved rounds and keeps a record.
ARGUMENTS are those of the test binaries, as in -test.bench=Echo.`

// run builds, measures and says what changed. Nothing but the record is left behind.
func (o options) run(ctx context.Context) (text string, err error) {
	if err := o.check(); err != nil {
		return "", err
	}
	w, err := workshop.New(ctx, "benchhistory")
	if err != nil {
		return "", err
	}
	defer w.Close()
	if files := w.Workspaces(ctx, []string{workshop.Here}); len(files) > 0 {
		fmt.Fprintf(os.Stderr, "benchhistory: all versions are built without %s\n", foreign.Line(strings.Join(files, " and ")))
	}
	p, err := o.plan(ctx)
	if err != nil {
		return "", err
	}
	b := builder{Workshop: w, options: o, known: builds.Known{}}
	if err := b.all(ctx, &p); err != nil {
		return "", err
	}
	look, err := b.look(ctx, p.subjects)
	if err != nil {
		return "", err
	}
	record, err := o.open(p)
	if err != nil {
		return "", err
	}
	r := runner{options: o, plan: p, record: record, line: status.Stderr(), known: b.known}
	failed := r.rounds(ctx)
	if record = r.record; record.Done == 0 {
		return "", errors.Join(failed, errors.New("no round is complete: nothing was kept"))
	}
	text, steps, err := report(record.File)
	return text + look.behind(ctx, p.subjects, steps), errors.Join(failed, err)
}
