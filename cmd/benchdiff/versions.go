package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// versions builds packages of the last commit with two versions of a module.
func (w *workshop) versions(ctx context.Context, o options, packages []string) (p pair, err error) {
	packages, err = depending(ctx, packages, o.module)
	if err != nil {
		return p, err
	}
	p = pair{baseName: o.a, headName: o.b}
	printing, base, err := w.version(ctx, o, "a", o.a, packages)
	if err != nil {
		return p, err
	}
	if len(printing) < len(packages) {
		fmt.Fprintf(os.Stderr, "of %d binaries these print the version of %s: %s\n", len(packages), o.module, strings.Join(printing, ", "))
	}
	both, head, err := w.version(ctx, o, "b", o.b, printing)
	if err == nil && len(both) < len(printing) {
		err = unprinted(o.module)
	}
	p.base, p.head, p.args = base, head, withoutReferences(packages)
	if err == nil {
		p.again, err = w.again(ctx, o, base, w.inWorktree("a"), o.module+"@"+o.a, printing)
	}
	return p, err
}

// version builds packages with a version of the module. It leaves out those whose
// binaries do not print which version ran: they use a part of the module, as
// another framework does of grpc, and are not about it.
func (w *workshop) version(ctx context.Context, o options, name, version string, packages []string) (printing, binaries []string, err error) {
	dir, err := w.worktree(ctx, name, "HEAD")
	if err == nil {
		err = require(ctx, dir, packages, o.module, version)
	}
	if err != nil {
		return nil, nil, err
	}
	args := slices.Concat(withoutReferences(packages), o.args)
	for _, pkg := range packages {
		binary, err := w.build(ctx, dir, o.module+"@"+version, pkg)
		if err != nil {
			return nil, nil, err
		}
		prints, err := proveVersion(ctx, binary, args, o.module, version)
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
		if !measures(here, pkg) {
			return nil, missing(pkg)
		}
		modules, err := command(ctx, pkg, "go", "list", "-deps", "-test", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
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

// goMod is what is needed of go mod edit -json.
type goMod struct {
	Require []struct{ Path string }
	Replace []struct {
		New struct{ Path, Version string }
	}
}

// require writes a module's version into the go.mod of packages below dir, and
// into those of modules that stand in directories. Not by -modfile: what a
// binary embeds of its go.mod would be the other one.
func require(ctx context.Context, dir string, packages []string, module, version string) error {
	modules, err := requiring(ctx, dir, packages, module)
	if err != nil {
		return err
	}
	if _, err := command(ctx, dir, "go", "mod", "download", module+"@"+version); err != nil {
		return fmt.Errorf("%s %s cannot be had: %w", module, version, err)
	}
	for _, m := range modules {
		if _, err := command(ctx, m, "go", "mod", "edit", "-require="+module+"@"+version); err != nil {
			return err
		}
	}
	for _, m := range slices.Backward(modules) { // the packages' own come last
		if _, err := command(ctx, m, "go", "mod", "tidy"); err != nil {
			return fmt.Errorf("%s %s does not fit this module: %w", module, version, err)
		}
	}
	for _, pkg := range packages {
		if err := selected(ctx, filepath.Join(dir, pkg), module, version); err != nil {
			return err
		}
	}
	return nil
}

// selected wants a version of a module to be what go takes for the package in dir.
func selected(ctx context.Context, dir, module, version string) error {
	takes, err := command(ctx, dir, "go", "list", "-m", "-f", "{{.Version}}{{with .Replace}}, replaced by {{.Path}} {{.Version}}{{end}}", module)
	if err == nil && takes != version {
		err = fmt.Errorf("%s %s cannot be had: go selects %s, for something else requires it (go mod graph tells what)", module, version, takes)
	}
	return err
}

// requiring lists the modules to edit, by their directories: those of the
// packages, of which each must require the module, and those they replace by
// directories if they do.
func requiring(ctx context.Context, dir string, packages []string, module string) (dirs []string, err error) {
	var nested []string
	for _, pkg := range packages {
		file, err := command(ctx, filepath.Join(dir, pkg), "go", "env", "GOMOD")
		if err != nil {
			return nil, err
		}
		root := filepath.Dir(file)
		if slices.Contains(dirs, root) {
			continue
		}
		replaced, err := requiringOf(ctx, root, module)
		if err != nil {
			return nil, err
		}
		dirs, nested = append(dirs, root), append(nested, replaced...)
	}
	slices.Sort(nested)
	for _, m := range slices.Compact(nested) {
		if !slices.Contains(dirs, m) {
			dirs = append(dirs, m)
		}
	}
	return dirs, nil
}

// requiringOf lists the modules that the one at root, which must require the
// module, replaces by directories and that require it, too.
func requiringOf(ctx context.Context, root, module string) (dirs []string, err error) {
	mod, err := readMod(ctx, root)
	if err != nil {
		return nil, err
	}
	if !mod.requires(module) {
		return nil, fmt.Errorf("go.mod does not require %s: there are no versions to compare", module)
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue
		}
		nested := filepath.Join(root, r.New.Path)
		if mod, err = readMod(ctx, nested); err != nil {
			return nil, err
		}
		if mod.requires(module) {
			dirs = append(dirs, nested)
		}
	}
	return dirs, nil
}

func readMod(ctx context.Context, dir string) (m goMod, err error) {
	text, err := command(ctx, dir, "go", "mod", "edit", "-json")
	if err == nil {
		err = json.Unmarshal([]byte(text), &m)
	}
	return m, err
}

func (m goMod) requires(module string) bool {
	for _, r := range m.Require {
		if r.Path == module {
			return true
		}
	}
	return false
}

// proveVersion runs each case once and looks for the version that the binary says
// ran; prints is false if it says none.
func proveVersion(ctx context.Context, binary string, args []string, module, version string) (prints bool, err error) {
	out, err := command(ctx, ".", binary, slices.Concat(benchmarksOnly, args, []string{"-test.benchtime=1x"})...)
	if err != nil {
		return false, fmt.Errorf("%s %s does not run: %w", module, version, err)
	}
	for line := range strings.Lines(out) {
		key, value, found := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if !found || !slices.Contains(strings.Split(strings.ToLower(module), "/"), key) {
			continue
		}
		if value != version {
			err = fmt.Errorf("the binary of %s %s says it ran %s", module, version, value)
		}
		return true, err
	}
	return false, nil
}
