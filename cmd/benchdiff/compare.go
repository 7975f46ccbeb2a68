package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/verdict"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// comparison is what was measured, and how far it got.
type comparison struct {
	pair
	rule        verdict.Rule
	failed      bool // a run did
	interrupted bool
}

// compare measures a pair and returns a text about how the two differ. Runs that failed fail
// it, but leave results to be seen. So does an interrupt.
func (o options) compare(ctx context.Context, rounds workshop.Found, p pair) (text string, pass bool, err error) {
	args, err := o.agree(ctx, p)
	if err != nil {
		return "", false, err
	}
	look, err := o.look(ctx, p, args)
	if err != nil {
		return "", false, err
	}
	c := comparison{pair: p, rule: o.rule()}
	begin := time.Now()
	ran, err := o.measure(ctx, rounds, p, args)
	c.failed, c.interrupted = !ran, ends.Interrupted(ctx, err)
	if c.interrupted {
		err = c.keep(begin)
	}
	if err != nil {
		return "", false, err
	}
	report, err := c.judge()
	if err != nil {
		return "", false, err
	}
	report.Remark = c.remarks()
	annotate(os.Stderr, os.Getenv, report)
	text, kept := look.beside(ctx, rounds, report.Brief(p.baseName, p.headName), report.Markdown(p.baseName, p.headName))
	return text, kept && ran && report.Count(verdict.Fail) == 0, nil
}

// keepAll writes what a pull request is told into allFile, and says so. That it cannot
// goes to standard error.
func keepAll(text string) (where string, kept bool) {
	if err := os.WriteFile(allFile, []byte(text), 0o666); err != nil {
		fmt.Fprintf(os.Stderr, "benchdiff: %v\n", err)
		return "", false
	}
	return "All rows, for a pull request as well: " + allFile + "\n", true
}

// measure reports whether all runs went well.
func (o options) measure(ctx context.Context, rounds workshop.Found, p pair, args []string) (ran bool, err error) {
	if o.countTurns > 0 {
		return o.count(ctx, rounds, p, args)
	}
	part, err := partTime(o.args)
	if err != nil {
		return false, fmt.Errorf("-test.benchtime: %w", err)
	}
	return runTurns(ctx, rounds, p, []string{fmt.Sprintf("-n=%d", o.rounds), fmt.Sprintf("-turns=%d", turns)}, append(args, part))
}

// judge reads what was measured, and says what it means.
func (c *comparison) judge() (*verdict.Report, error) {
	files, err := read()
	if err != nil {
		return nil, err
	}
	if c.interrupted {
		for i, f := range files {
			files[i] = f.First(c.rule.Lines)
		}
	}
	return c.rule.Judge(files[0], files[1], files[2])
}

// keep sees after an interrupt how many turns all binaries finished, and
// whether they can be compared. Files from before begin are of another run.
func (c *comparison) keep(begin time.Time) error {
	if info, err := os.Stat(headFile); err != nil || info.ModTime().Before(begin) {
		return errors.New("nothing was measured")
	}
	files, err := read()
	if err != nil {
		return err
	}
	fewest := pairs.Fewest
	if c.rule.Counts {
		fewest, c.rule.First = 1, 0
	}
	if c.rule.Lines = verdict.Turns(files[:]...); c.rule.Lines < fewest {
		err = fmt.Errorf("%d turns are too few to compare, it takes %d", c.rule.Lines, fewest)
		fmt.Fprintf(os.Stderr, "benchdiff: %v; the lines are in %s, %s and %s\n", err, baseFile, againFile, headFile)
	}
	return err
}

// remarks are what must be known before the sentence.
func (c *comparison) remarks() string {
	switch {
	case c.interrupted:
		return c.remark + fmt.Sprintf("Interrupted after %d turns. ", c.rule.Lines)
	case c.failed:
		return c.remark + "A run failed, as it says above. "
	}
	return c.remark
}

// annotate shows the sentence at the job of a pull request, which otherwise
// shows nothing of a job that passes. GitHub reads it from either output.
func annotate(w io.Writer, env func(string) string, r *verdict.Report) {
	level := "warning"
	switch {
	case env("GITHUB_ACTIONS") == "":
		return
	case r.Count(verdict.Fail) > 0:
		level = "error"
	case r.Count(verdict.Slower, verdict.More, verdict.Other) == 0:
		return
	}
	fmt.Fprintf(w, "::%s title=benchmarks::%s\n", level, strings.ReplaceAll(r.Sentence(), "%", "%25"))
}
