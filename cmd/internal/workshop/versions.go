package workshop

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// goMod is what is needed of go mod edit -json.
type goMod struct {
	Require []struct{ Path string }
	Replace []struct {
		New struct{ Path, Version string }
	}
}

// Require writes a module's version into the go.mod of packages below dir, and
// into those of modules that stand in directories. Not by -modfile: what a
// binary embeds of its go.mod would be the other one.
func Require(ctx context.Context, dir string, packages []string, module, version string) error {
	modules, err := requiring(ctx, dir, packages, module)
	if err != nil {
		return err
	}
	if _, err := Go(ctx, dir, "mod", "download", module+"@"+version); err != nil {
		return fmt.Errorf("%s %s cannot be had: %w", module, version, err)
	}
	for _, m := range modules {
		if _, err := Go(ctx, m, "mod", "edit", "-require="+module+"@"+version); err != nil {
			return err
		}
	}
	for _, m := range slices.Backward(modules) { // the packages' own come last
		if _, err := Go(ctx, m, "mod", "tidy"); err != nil {
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
	takes, err := Go(ctx, dir, "list", "-m", "-f", "{{.Version}}{{with .Replace}}, replaced by {{.Path}} {{.Version}}{{end}}", module)
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
		file, err := Go(ctx, filepath.Join(dir, pkg), "env", "GOMOD")
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
	text, err := Go(ctx, dir, "mod", "edit", "-json")
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

// Prove runs each case once and looks for the version that the binary says
// ran; prints is false if it says none. out is all that it printed.
func Prove(ctx context.Context, binary string, args []string, module, version string) (out string, prints bool, err error) {
	out, err = Run(ctx, binary, slices.Concat(BenchmarksOnly(), args, []string{"-test.benchtime=1x"})...)
	if err != nil {
		return out, false, fmt.Errorf("%s %s does not run: %w", module, version, err)
	}
	for line := range strings.Lines(out) {
		key, value, found := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if !found || !slices.Contains(strings.Split(strings.ToLower(module), "/"), key) {
			continue
		}
		if value != version {
			err = fmt.Errorf("the binary of %s %s says it ran %s", module, version, value)
		}
		return out, true, err
	}
	return out, false, nil
}
