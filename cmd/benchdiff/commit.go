package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// pair are the binaries to compare, one of each package, and what their columns are
// called. Those that both sides have come first, in the same order. again is base
// with another code layout.
type pair struct {
	base, again, head  []string
	baseName, headName string
	args               []string // more arguments of the binaries
	remark             string   // what must be known of them
}

// commit builds packages of a commit and of the working tree.
func (o options) commit(ctx context.Context, w *workshop.Workshop, packages []string) (p pair, err error) {
	ref := o.base
	dir, err := w.Worktree(ctx, "base", ref)
	if err != nil {
		return p, err
	}
	s, err := choose(packages, dir, ref)
	if err != nil {
		return p, err
	}
	p = pair{baseName: ref, headName: "head", args: s.args, remark: s.remark}
	if p.base, err = w.BuildAll(ctx, dir, ref, s.base); err == nil {
		p.args, err = understood(ctx, p.base, s, ref)
	}
	if err == nil {
		p.head, err = w.BuildAll(ctx, ".", "head", s.head)
	}
	if err == nil {
		p.again, err = o.again(ctx, w, p.base, dir, ref, s.base)
	}
	return p, err
}

// understood returns the arguments that the binaries of base know. One from before
// -references measures raw TCP as well, which of several each would.
func understood(ctx context.Context, binaries []string, s selection, ref string) (args []string, err error) {
	for _, binary := range binaries {
		_, err := workshop.Run(ctx, binary, slices.Concat(workshop.BenchmarksOnly(), s.args)...)
		switch {
		case err == nil:
		case len(s.head) == 1 && slices.Equal(s.args, withoutReferences(s.head)):
			return nil, nil
		default:
			return nil, fmt.Errorf("binaries of %s cannot be run together, so compare one package at a time: %w", ref, err)
		}
	}
	return s.args, nil
}

// again builds base once more, with another code layout, so that A/A shows what a layout does
// as well. Where counts are compared, it returns the binaries of base.
func (o options) again(ctx context.Context, w *workshop.Workshop, base []string, dir, name string, packages []string) ([]string, error) {
	if o.countTurns > 0 {
		return base, nil
	}
	layout, err := workshop.Layout(ctx, dir, 1)
	if err != nil {
		return nil, err
	}
	return w.BuildAll(ctx, dir, name+" again, with another code layout", packages, layout)
}
