package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
	"github.com/rpcbench/rpcbench/cmd/internal/turns"
)

// work is what is to be run.
type work struct {
	rounds, turns int
	until         precision
	add           bool     // to files that are there already
	again         bool     // go on with them, see resume
	build         []string // the command that makes a binary; none: they are made
	targets       []target
	args          []string // common to all binaries
	then          []string // the command that shows the results; none: they are not shown
}

// part is one of the binaries whose lines a file keeps.
type part struct {
	file, binary string
	args         []string // the common ones and those for the file
	known        bool     // it was built, if it can be, and its cases are counted
	built        bool
	first        builds.Build // of all rounds
	hash         string       // of it, with -continue
	cases        int          // 0: it is left out
	takes        time.Duration
	none         errNoCase // why it is left out
	seen         figures
	enough       bool // its figures are as exact as is asked
}

// runner runs what is to be run.
type runner struct {
	work
	places       [][]*part // the first binary of each file, the second of each, ...
	p            *reporter
	runs, failed int
	did          map[did]bool   // runs that files have already
	hashes       map[did]string // of their builds; turn is 0
	noted        []string       // the files that say what the binaries' environment lacks
}

// run runs all rounds and returns how many results it kept. A binary that
// fails does not keep the others from running: what can be measured is. Only
// the end of ctx ends it early.
func (w work) run(ctx context.Context, line *status.Line) (kept int, err error) {
	defer line.Clear()
	r := &runner{work: w, places: w.places(), p: newReporter(line, w.rounds)}
	if err := r.begin(ctx); err != nil {
		return 0, err
	}
	for turn := 0; ctx.Err() == nil && r.goesOn(turn); turn++ {
		r.p.round = turn/r.turns + 1
		err := r.turn(ctx, turn)
		if err == nil && turn == 0 && ctx.Err() == nil {
			err = r.makeShower(ctx, line)
		}
		if err != nil {
			return r.p.kept, err
		}
		if (turn+1)%r.turns == 0 && ctx.Err() == nil {
			r.p.roundDone()
		}
	}
	if r.failed > 0 {
		return r.p.kept, fmt.Errorf("%d of %d runs failed", r.failed, r.runs)
	}
	return r.p.kept, cmp.Or(r.lacking(), r.unknown())
}

// places lists the binaries by their places in the files' lists, so that those at
// the same place run one after the other: they are compared.
func (w work) places() (list [][]*part) {
	for _, s := range w.targets {
		for i, binary := range s.binaries {
			if i == len(list) {
				list = append(list, nil)
			}
			list[i] = append(list[i], &part{file: s.file, binary: binary, args: slices.Concat(w.args, s.only), seen: figures{}})
		}
	}
	return list
}

// parts are all binaries in the order of a turn.
func (r *runner) parts(turn int) (list []*part) {
	for _, i := range turns.Order(turn, len(r.places)) {
		for _, j := range turns.Order(turn, len(r.places[i])) {
			list = append(list, r.places[i][j])
		}
	}
	return list
}

// begin counts the cases before anything is touched: of all binaries, or if these
// are still to be built, up to the first that has any.
func (r *runner) begin(ctx context.Context) error {
	var known []*part
	r.p.round = 1
	if r.again {
		if err := r.resume(); err != nil {
			return err
		}
	}
	for _, t := range r.parts(0) {
		err := r.prepare(ctx, t)
		if err != nil && (t.built || ends.Interrupted(ctx, err)) {
			return err
		}
		if err != nil { // the others can be measured
			r.runs++
			r.fail(t, err)
			continue
		}
		if known = append(known, t); len(r.build) > 0 && t.cases > 0 {
			break
		}
	}
	if err := r.lacking(); err != nil {
		return err
	}
	if !r.add && !r.again {
		if err := keepOld(r.targets); err != nil {
			return err
		}
	}
	for _, t := range known {
		if err := r.leaveOut(t); err != nil {
			return err
		}
	}
	r.p.announce()
	return nil
}

// prepare builds a binary and counts its cases.
func (r *runner) prepare(ctx context.Context, t *part) (err error) {
	defer r.expect()
	t.known = true
	begin := time.Now()
	if len(r.build) > 0 && !r.isBuilt(t.binary) {
		if err := build(ctx, r.build, t.binary, r.p.line); err != nil {
			return err
		}
	}
	t.built, t.first = true, identify(t.binary)
	if err := r.hashed(t); err != nil {
		return err
	}
	t.cases, t.takes, err = countCases(ctx, t.binary, t.args)
	r.p.built(time.Since(begin))
	if errors.As(err, &t.none) {
		return nil
	}
	return err
}

// isBuilt reports whether a binary was built for another file: to build it again may make
// it another build.
func (r *runner) isBuilt(binary string) bool {
	return slices.ContainsFunc(r.parts(0), func(t *part) bool { return t.built && t.binary == binary })
}

// leaveOut says of a binary without cases that it is left out.
func (r *runner) leaveOut(t *part) error {
	if t.cases > 0 {
		return nil
	}
	fmt.Fprintf(r.p.line, "left out: %v\n", t.none)
	return add(t.file, r.leftOut(t))
}

// expect tells the reporter of all cases and their time, by those that are known.
func (r *runner) expect() {
	known, unknown, cases, takes := 0, 0, 0, time.Duration(0)
	told := true
	for _, t := range r.parts(0) {
		switch {
		case !t.known:
			unknown++
		case t.cases > 0:
			known++
			cases, takes, told = cases+t.cases, takes+t.takes, told && t.takes > 0
		}
	}
	if !told {
		takes = 0
	}
	all := float64(r.turns) * float64(known+unknown) / float64(max(known, 1))
	r.p.cases, r.p.unbuilt = int(math.Round(all*float64(cases))), unknown
	r.p.expected = time.Duration(all * float64(takes))
}

// lacking returns why a file will have no lines, or nil if each file may get some.
func (r *runner) lacking() error {
	for _, s := range r.targets {
		parts := slices.DeleteFunc(r.parts(0), func(t *part) bool { return t.file != s.file })
		if slices.ContainsFunc(parts, func(t *part) bool { return !t.known || t.cases > 0 || t.none.why == "" }) {
			continue
		}
		if len(parts) > 1 {
			return fmt.Errorf("none of %d binaries has a case; %w", len(parts), parts[0].none)
		}
		return parts[0].none
	}
	return nil
}

// turn runs every binary once. Its error ends the run.
func (r *runner) turn(ctx context.Context, turn int) error {
	for _, t := range r.parts(turn) {
		if ctx.Err() != nil {
			return nil
		}
		if r.did[did{t.file, foreign.Line(t.binary), turn + 1}] {
			r.p.done += t.cases
			continue
		}
		ran, err := r.runPart(ctx, t, turn)
		if ran {
			r.runs++
		}
		if err == nil {
			continue
		}
		if ends.Interrupted(ctx, err) {
			return nil
		}
		if errors.As(err, new(errLost)) || errors.As(err, new(builds.Rebuilt)) || errors.As(err, new(errAnother)) {
			return err
		}
		r.fail(t, err)
	}
	return nil
}

// fail counts a run that failed.
func (r *runner) fail(t *part, err error) {
	r.failed++
	fmt.Fprintf(r.p.line, "benchrounds: round %d: %s: %v\n", r.p.round, t.binary, err)
}

// runPart runs a binary that has cases. It first builds one that was not built yet.
func (r *runner) runPart(ctx context.Context, t *part, turn int) (ran bool, err error) {
	if !t.known {
		if err = r.prepare(ctx, t); err == nil {
			err = r.leaveOut(t)
		}
		if err != nil {
			return true, err
		}
	}
	if t.cases == 0 || t.enough {
		return false, nil
	}
	if !t.first.Same(identify(t.binary)) {
		return false, builds.Rebuilt{Binary: t.binary, Then: fmt.Sprintf("round %d would measure", r.p.round)}
	}
	return true, r.keepRun(ctx, t, turn)
}

// keepRun appends one run of a binary to its file, line by line, so that
// nothing is lost when the run is interrupted.
func (r *runner) keepRun(ctx context.Context, t *part, turn int) error {
	file, err := os.OpenFile(t.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()                                           // again, after an error
	defer func(done int) { r.p.done = done }(r.p.done + t.cases) // also where results are missing
	if err := r.note(file, t); err != nil {
		return lost(t.file, err)
	}
	stderr := bounded.Buffer{Most: bounded.Messages}
	lines := &keeper{to: whole{file}, p: r.p, result: func(line string) { t.seen.add(line, r.until.units) }}
	cmd := command(ctx, t.binary, t.args)
	cmd.Env = append(cmd.Env, turns.Told(r.rounds*r.turns))
	cmd.Stdout, cmd.Stderr = lines, &stderr
	err = cmd.Run()
	r.heard(stderr.String(), err)
	_, noteErr := whole{file}.Write(turns.Notes(stderr.Bytes()))
	err = cmp.Or(err, lines.check(t.cases))
	if r.again && noteErr == nil && ctx.Err() == nil {
		_, noteErr = whole{file}.Write([]byte(t.mark(turn+1, err)))
	}
	return cmp.Or(lost(t.file, cmp.Or(lines.err, noteErr, file.Close())), err)
}

// heard tells what a binary said beside its results. Its notes are in the file: where the
// results are shown at the end, they are told there, summed, unless the binary failed.
func (r *runner) heard(said string, err error) {
	for line := range strings.Lines(said) {
		if err != nil || len(r.then) == 0 || !strings.HasPrefix(line, "# ") {
			tell(r.p.line, line, true)
		}
	}
}

// note says in a file, before its first lines, what the binaries' environment lacks.
func (r *runner) note(to io.Writer, t *part) error {
	if slices.Contains(r.noted, t.file) {
		return nil
	}
	r.noted = append(r.noted, t.file)
	head := environ.Note(os.Environ())
	if r.again {
		head = t.head() + head
	}
	_, err := io.WriteString(to, head)
	return err
}
