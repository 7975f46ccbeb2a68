package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// versions builds packages of the last commit with two versions of a module.
func (o options) versions(ctx context.Context, w *workshop.Workshop, packages []string) (p pair, err error) {
	packages, err = depending(ctx, packages, o.module)
	if err != nil {
		return p, err
	}
	p = pair{baseName: o.a, headName: o.b}
	printing, base, err := o.version(ctx, w, "a", o.a, packages)
	if err != nil {
		return p, err
	}
	if len(printing) < len(packages) {
		fmt.Fprintf(os.Stderr, "of %d binaries these print the version of %s: %s\n", len(packages), o.module, strings.Join(printing, ", "))
	}
	both, head, err := o.version(ctx, w, "b", o.b, printing)
	if err == nil && len(both) < len(printing) {
		err = unprinted(o.module)
	}
	p.base, p.head, p.args = base, head, withoutReferences(packages)
	if err == nil {
		p.again, err = o.again(ctx, w, base, w.In("a"), o.module+"@"+o.a, printing)
	}
	return p, err
}

// version builds packages with a version of the module. It leaves out those whose
// binaries do not print which version ran: they use a part of the module, as
// another framework does of grpc, and are not about it.
func (o options) version(ctx context.Context, w *workshop.Workshop, name, version string, packages []string) (printing, binaries []string, err error) {
	dir, err := w.Worktree(ctx, name, "HEAD")
	if err == nil {
		err = workshop.Require(ctx, dir, packages, o.module, version)
	}
	if err != nil {
		return nil, nil, err
	}
	args := slices.Concat(withoutReferences(packages), o.args)
	for _, pkg := range packages {
		binary, err := w.Build(ctx, dir, o.module+"@"+version, pkg)
		if err != nil {
			return nil, nil, err
		}
		_, prints, err := workshop.Prove(ctx, binary, args, o.module, version)
		if err != nil {
			return nil, nil, err
		}
		if prints {
			printing, binaries = append(printing, pkg), append(binaries, binary)
		}
	}
	if len(printing) == 0 {
		err = unprinted(o.module)
	}
	return printing, binaries, err
}

func unprinted(module string) error {
	return fmt.Errorf("no binary prints which version of %s ran; suite.Main does, of the Modules of its variants, when it is given go.mod", module)
}

// depending returns the packages, of several, whose binaries link the module, since
// the others are the same with any version of it.
func depending(ctx context.Context, packages []string, module string) (list []string, err error) {
	if len(packages) < 2 {
		return packages, nil
	}
	for _, pkg := range packages {
		if !measures(workshop.Here, pkg) {
			return nil, missing(pkg)
		}
		modules, err := workshop.Go(ctx, pkg, "list", "-deps", "-test", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", pkg, err)
		}
		if slices.Contains(strings.Split(modules, "\n"), module) {
			list = append(list, pkg)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("none of %s depends on %s: there are no versions to compare", strings.Join(packages, ", "), module)
	}
	if len(list) < len(packages) {
		fmt.Fprintf(os.Stderr, "of %d packages these depend on %s: %s\n", len(packages), module, strings.Join(list, ", "))
	}
	return list, nil
}
