package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
	"github.com/rpcbench/rpcbench/cmd/internal/turns"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// runner measures what was built.
type runner struct {
	options
	plan
	record *history.Writer
	line   *status.Line // of progress
	times  string       // behind and before us, as of the last round
	known  builds.Known
	failed map[string]int
}

// rounds measures those that the record lacks. An interrupt ends the round under way,
// which is not kept.
func (r *runner) rounds(ctx context.Context) error {
	r.failed = map[string]int{}
	defer r.line.Clear()
	begin, first := time.Now(), r.record.Done
	for n := first + 1; n <= r.record.Heading.Rounds; n++ {
		processes, err := r.round(ctx, n)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return failure{err}
		}
		err = r.record.Round(n, processes)
		if n == first+1 && first > 0 && errors.Is(err, history.ErrMachine) {
			return r.anew(ctx, err)
		}
		if err != nil {
			return failure{err}
		}
		if n == 1 {
			err = r.readable()
		}
		if err != nil {
			return failure{err}
		}
		elapsed := time.Since(begin)
		left := elapsed / time.Duration(n-first) * time.Duration(r.record.Heading.Rounds-n)
		r.times = fmt.Sprintf("%s so far, about %s left", turns.Clock(elapsed), turns.Clock(left))
		r.line.Say(fmt.Sprintf("round %d/%d done, %s", n, r.record.Heading.Rounds, r.times))
	}
	return r.failures()
}

// readable says after a round if nobody could read the record: then it is not measured to
// the end.
func (r *runner) readable() error {
	if _, err := history.Read(r.record.File); errors.Is(err, history.ErrApart) {
		return err
	}
	return nil
}

// anew begins another record, since this one was begun on another machine.
func (r *runner) anew(ctx context.Context, why error) (err error) {
	fmt.Fprintf(r.line, "%v; another record begins\n", why)
	if r.record, err = history.Create(r.dir, r.fileName(), r.Heading); err != nil {
		return failure{err}
	}
	return r.rounds(ctx)
}

// round runs every program once, and in the first rounds what is counted and weighed. The
// error says that a binary was built again since it was built here.
func (r *runner) round(ctx context.Context, n int) (list []history.Process, err error) {
	for _, i := range turns.Order(n-1, len(r.subjects)) {
		s := r.subjects[i]
		for _, p := range s.programs {
			for _, one := range r.starts(n, s, p) {
				if err = r.known.Check(one.binary, fmt.Sprintf("round %d would measure", n)); err != nil {
					return nil, err
				}
				r.line.Show(r.now(n, s, p))
				list = append(list, r.process(ctx, s, p, one.binary, one.args))
			}
		}
	}
	return list, nil
}

// now says what is measured.
func (r *runner) now(n int, s *subject, p program) string {
	return foreign.Line(fmt.Sprintf("round %d/%d  %s  %s  %s", n, r.record.Heading.Rounds, s.version, p.adapter, r.times))
}

// start is a binary that is to be run.
type start struct {
	binary string
	args   []string
}

// starts lists what a round runs of a program.
func (r *runner) starts(n int, s *subject, p program) []start {
	list := []start{{p.binary, r.args}}
	if n <= r.countRounds {
		list = append(list, start{p.binary, r.countArguments()})
	}
	if n <= r.sizeRounds && p.footprint != "" && s.version != history.Reference {
		list = append(list, start{p.footprint, nil})
	}
	return list
}

// countArguments returns the arguments with which calls are counted: they choose what is called,
// without times and callers.
func (r *runner) countArguments() []string {
	args := slices.DeleteFunc(slices.Clone(r.args), func(a string) bool {
		a = strings.TrimLeft(a, "-")
		return strings.HasPrefix(a, "test.bench") || strings.HasPrefix(a, "conc=") || a == "detail"
	})
	return append(args, "-test.bench=^BenchmarkCount$", "-test.benchtime=1x")
}

// process runs a binary and returns what it printed, notes included.
func (r *runner) process(ctx context.Context, s *subject, p program, binary string, args []string) history.Process {
	if binary == p.binary {
		args = slices.Concat(workshop.BenchmarksOnly(), args)
	}
	cmd := workshop.Measured(ctx, binary, args...)
	out, said := bounded.Buffer{Most: bounded.Results}, bounded.Buffer{Most: bounded.Messages}
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Env = append(cmd.Env, turns.Told(r.record.Heading.Rounds))
	err := cmp.Or(cmd.Run(), out.Err())
	if err != nil && !ends.Interrupted(ctx, err) {
		r.failed[s.version]++
		fmt.Fprintf(r.line, "benchhistory: %s: %v\n%s", s.version, err, shown(said.String()))
	}
	output := append([]byte(environ.Note(os.Environ())), out.Bytes()...)
	if binary != p.binary && err == nil { // it does not say that it ended
		output = append(output, "PASS\n"...)
	}
	return history.Process{Version: s.version, Adapter: p.adapter, Output: withNotes(output, said.Bytes())}
}

// withNotes puts the notes that a process said beside its results, lines with #, before
// its end.
func withNotes(out, said []byte) []byte {
	end := bytes.LastIndex(bytes.TrimRight(out, "\n"), []byte("\n")) + 1
	return slices.Concat(out[:end], turns.Notes(said), out[end:])
}

// shown are lines of others for the terminal.
func shown(text string) (safe string) {
	for line := range strings.Lines(text) {
		safe += "\t" + foreign.Line(strings.TrimRight(line, "\n")) + "\n"
	}
	return safe
}

// failures says which processes failed.
func (r *runner) failures() error {
	var list []string
	for _, s := range r.subjects {
		if n := r.failed[s.version]; n > 0 {
			list = append(list, fmt.Sprintf("%s in %d", s.version, n))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return failure{errors.New("processes failed: " + strings.Join(list, ", "))}
}
