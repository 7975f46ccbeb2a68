package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// versions builds the last commit with two versions of a module.
func (w *workshop) versions(ctx context.Context, o options) (p pair, err error) {
	p = pair{baseName: o.a, headName: o.b}
	if p.base, err = w.version(ctx, o, "a", o.a); err == nil {
		p.head, err = w.version(ctx, o, "b", o.b)
	}
	return p, err
}

func (w *workshop) version(ctx context.Context, o options, name, version string) (binary string, err error) {
	dir, err := w.worktree(ctx, name, "HEAD")
	if err == nil {
		err = require(ctx, dir, o.module, version)
	}
	if err == nil {
		binary, err = w.build(ctx, dir, o.module+"@"+version)
	}
	if err != nil {
		return "", err
	}
	return binary, proveVersion(ctx, binary, o.args, o.module, version)
}

// goMod is what is needed of go mod edit -json.
type goMod struct {
	Require []struct{ Path string }
	Replace []struct {
		New struct{ Path, Version string }
	}
}

// require writes a module's version into the go.mod of the package in dir, and
// into those of modules that stand in directories. Not by -modfile: what a
// binary embeds of its go.mod would be the other one.
func require(ctx context.Context, dir, module, version string) error {
	modules, err := requiring(ctx, dir, module)
	if err != nil {
		return err
	}
	for _, m := range modules {
		if _, err := command(ctx, m, "go", "mod", "edit", "-require="+module+"@"+version); err != nil {
			return err
		}
	}
	for _, m := range slices.Backward(modules) { // the package's own comes last
		if _, err := command(ctx, m, "go", "mod", "tidy"); err != nil {
			return fmt.Errorf("%s %s cannot be had: %w", module, version, err)
		}
	}
	selected, err := command(ctx, dir, "go", "list", "-m", "-f", "{{.Version}}{{with .Replace}}, replaced by {{.Path}} {{.Version}}{{end}}", module)
	if err == nil && selected != version {
		err = fmt.Errorf("%s %s cannot be had: go selects %s, for something else requires it (go mod graph tells what)", module, version, selected)
	}
	return err
}

// requiring lists the modules to edit, by their directories: that of the
// package in dir, which must require the module, and those it replaces by
// directories if they do.
func requiring(ctx context.Context, dir, module string) (dirs []string, err error) {
	file, err := command(ctx, dir, "go", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	root := filepath.Dir(file)
	mod, err := readMod(ctx, root)
	if err != nil {
		return nil, err
	}
	if !mod.requires(module) {
		return nil, fmt.Errorf("go.mod does not require %s: there are no versions to compare", module)
	}
	dirs = []string{root}
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

// proveVersion runs each case once and looks for the version that it says ran.
func proveVersion(ctx context.Context, binary string, args []string, module, version string) error {
	out, err := command(ctx, ".", binary, slices.Concat(benchmarksOnly, args, []string{"-test.benchtime=1x"})...)
	if err != nil {
		return fmt.Errorf("%s %s does not run: %w", module, version, err)
	}
	for line := range strings.Lines(out) {
		key, value, found := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if !found || !slices.Contains(strings.Split(strings.ToLower(module), "/"), key) {
			continue
		}
		if value != version {
			return fmt.Errorf("the binary of %s %s says it ran %s", module, version, value)
		}
		return nil
	}
	return fmt.Errorf("the binary does not print which version of %s ran; suite.Main does, of the Modules of its variants, when it is given go.mod", module)
}
