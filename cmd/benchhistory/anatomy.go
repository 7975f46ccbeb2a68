package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/moved"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// mostSteps is how many are looked into: each takes a minute or two for each of its cases.
const mostSteps = 3

// looker says which functions are behind steps.
type looker struct {
	*builder
	rounds workshop.Found
}

// look finds benchrounds, and asks the binaries of all versions whether they can be profiled with
// these arguments. It returns nil without -anatomy.
func (b *builder) look(ctx context.Context, subjects []*subject) (*looker, error) {
	if !b.anatomy {
		return nil, nil
	}
	rounds, err := workshop.FindRounds()
	if err != nil {
		return nil, err
	}
	dir, err := b.Room("anatomy")
	for _, s := range subjects {
		if s.beside || err != nil {
			continue
		}
		p := moved.Pair{BaseName: s.version, Base: s.binaries(), Args: b.args, Dir: dir}
		var without string
		if without, err = p.Ready(ctx); without != "" {
			fmt.Fprintln(os.Stderr, "benchhistory: "+foreign.Line(without))
		}
	}
	return &looker{b, rounds}, err
}

// binaries returns the test binaries of all packages.
func (s *subject) binaries() (list []string) {
	for _, p := range s.programs {
		list = append(list, p.binary)
	}
	return list
}

// stepped is a version at which CPU times of calls changed, against the one before it.
type stepped struct {
	before, version string
	cases           []string // full names
	most            float64  // the largest change, without its sign
}

// cpuSteps are the versions at which the CPU time of a call has a step, the largest first.
func cpuSteps(list []history.Step) (all []stepped) {
	for _, s := range list {
		if !slices.Contains([]string{history.CPU, "client-cpu-ns/op", "server-cpu-ns/op"}, s.Unit) {
			continue
		}
		before := s.Versions[s.At-1]
		i := slices.IndexFunc(all, func(one stepped) bool { return one.before == before && one.version == s.Version() })
		if i < 0 {
			i, all = len(all), append(all, stepped{before: before, version: s.Version()})
		}
		all[i].most = max(all[i].most, math.Abs(s.Change.Value))
		if !slices.Contains(all[i].cases, s.Name.Full) {
			all[i].cases = append(all[i].cases, s.Name.Full)
		}
	}
	slices.SortStableFunc(all, func(a, b stepped) int { return cmp.Compare(b.most, a.most) })
	return all
}

// behind is what -anatomy adds to a report; nil adds nothing. It measures the versions at the
// largest steps and those before them, and names the functions that changed.
func (l *looker) behind(ctx context.Context, subjects []*subject, list []history.Step) string {
	if l == nil || ctx.Err() != nil {
		return ""
	}
	all := cpuSteps(list)
	if len(all) == 0 {
		return "\nNo CPU time of a call has a step: there is no function to name.\n"
	}
	var b strings.Builder
	b.WriteString("\n")
	for i, s := range all {
		if i >= mostSteps || ctx.Err() != nil {
			fmt.Fprintf(&b, "Not looked into, behind %d larger steps: %s.\n", i, versionsOf(all[i:]))
			break
		}
		b.WriteString(foreign.Line(fmt.Sprintf("Behind the step at %s, µs of CPU time of a call with %s, with %[1]s, and the change:", s.version, s.before)) + "\n")
		b.WriteString(l.named(ctx, subjects, s))
	}
	return b.String()
}

func versionsOf(list []stepped) string {
	var names []string
	for _, s := range list {
		names = append(names, foreign.Line(s.version))
	}
	return strings.Join(names, ", ")
}

// named are the functions that a step changed, or why they cannot be told.
func (l *looker) named(ctx context.Context, subjects []*subject, s stepped) string {
	p, err := l.pair(subjects, s)
	without := ""
	if err == nil {
		without, err = p.Ready(ctx)
	}
	if without != "" {
		return "  " + foreign.Line(without) + "\n"
	}
	var changes moved.Changes
	if err == nil {
		changes, err = p.Compare(ctx, l.rounds)
	}
	if err != nil {
		return fmt.Sprintf("  it cannot be told: %v\n", foreign.Error(err))
	}
	return changes.Named()
}

// pair has the binaries of both versions, and a directory that goes with the workshop.
func (l *looker) pair(subjects []*subject, s stepped) (p moved.Pair, err error) {
	p = moved.Pair{BaseName: s.before, HeadName: s.version, Args: append(slices.Clone(l.args), "-test.bench="+lines.Pattern(s.cases))}
	for _, one := range subjects {
		switch {
		case one.beside:
		case one.version == s.before:
			p.Base = one.binaries()
		case one.version == s.version:
			p.Head = one.binaries()
		}
	}
	p.Dir, err = l.Room("anatomy")
	return p, err
}
