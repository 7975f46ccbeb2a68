package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/moved"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// anatomyDir keeps the profiles of both sides.
const anatomyDir = "bench-anatomy"

// mostAnatomy is the number of lines of its tables that a terminal is shown.
const mostAnatomy = 40

func (o options) checkAnatomy() error {
	if !o.anatomy {
		return nil
	}
	return moved.Check(o.args)
}

// look is what -anatomy adds to a comparison; the zero value adds nothing.
type look struct {
	moved.Pair
	without string // why it is left out
}

// look asks base and head whether they can be profiled, and then makes the directory. It returns
// an error if the arguments forbid it.
func (o options) look(ctx context.Context, p pair, args []string) (l look, err error) {
	if !o.anatomy {
		return l, nil
	}
	both := min(len(p.base), len(p.head)) // packages of one side alone come last
	l.Pair = moved.Pair{
		BaseName: p.baseName, HeadName: p.headName, Base: p.base[:both], Head: p.head[:both],
		Args: slices.Concat(p.args, args), Dir: anatomyDir,
	}
	if l.without, err = l.Ready(ctx); err == nil && l.without == "" {
		err = l.Prepare()
	}
	if l.without != "" {
		fmt.Fprintln(os.Stderr, "benchdiff: "+foreign.Line(l.without))
	}
	return l, err
}

// beside returns the brief text with the parts that differ below it, if they are asked for. It
// keeps the Markdown with these, and before they are measured without.
func (l look) beside(ctx context.Context, rounds workshop.Found, brief, text string) (all string, kept bool) {
	where, kept := keepAll(text)
	if l.Dir == "" || ctx.Err() != nil {
		return brief + where, kept
	}
	short, long := l.tables(ctx, rounds)
	var folded strings.Builder
	folded.WriteString("\n<details><summary>Where the CPU time of a call goes</summary>\n\n")
	for line := range strings.Lines(long) {
		folded.WriteString("    " + line)
	}
	folded.WriteString("\n</details>\n")
	where, kept = keepAll(text + folded.String())
	return brief + "\n" + short + where, kept
}

// tables measures and compares. What goes wrong is a sentence, for the verdict stands.
func (l look) tables(ctx context.Context, rounds workshop.Found) (short, long string) {
	if l.without != "" {
		text := foreign.Line(l.without) + "\n"
		return text, text
	}
	changes, err := l.Compare(ctx, rounds)
	if err != nil {
		text := fmt.Sprintf("Parts of a call are not compared: %v\n", foreign.Error(err))
		return text, text
	}
	return changes.Tables(mostAnatomy) + "Profiles: " + anatomyDir + "\n", changes.Tables(math.MaxInt)
}
