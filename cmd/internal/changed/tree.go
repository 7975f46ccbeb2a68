package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// tree is a checkout with what changed in it.
type tree struct {
	root    string
	modules []string // the directories of all, below the root
	changed []module
}

// module is a module with files that changed.
type module struct {
	dir      string
	packages []string // those with tests that changed, as go test takes them
}

// usual is the revision without -since.
const usual = "origin/main"

// changes finds what changed.
func changes(root, since string) (t tree, err error) {
	t.root = root
	base, err := git(root, "merge-base", "HEAD", since)
	if err != nil && since == usual { // a checkout without a remote
		base, err = []string{"HEAD"}, nil
	}
	if err != nil {
		return t, fmt.Errorf("-since=%s: %w", since, err)
	}
	mods, err := git(root, "ls-files", "-co", "--exclude-standard", "*go.mod")
	if err != nil {
		return t, err
	}
	for _, mod := range mods {
		t.modules = append(t.modules, path.Dir(mod))
	}
	differ, err := git(root, "diff", "--name-only", base[0])
	if err != nil {
		return t, err
	}
	others, err := git(root, "ls-files", "-o", "--exclude-standard")
	for _, file := range append(differ, others...) {
		t.add(file)
	}
	return t, err
}

// git returns the lines that git prints.
func git(root string, args ...string) (lines []string, err error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = root, environ.Tools(os.Environ())
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && len(failed.Stderr) > 0 {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(failed.Stderr)))
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), err
}

// add adds a file that changed.
func (t *tree) add(file string) {
	dir := path.Dir(file)
	of := dir
	for of != "." && !slices.Contains(t.modules, of) {
		of = path.Dir(of)
	}
	i := slices.IndexFunc(t.changed, func(m module) bool { return m.dir == of })
	if i < 0 {
		i = len(t.changed)
		t.changed = append(t.changed, module{dir: of})
	}
	tests, _ := filepath.Glob(filepath.Join(t.root, dir, "*_test.go"))
	below, _ := filepath.Rel(of, dir)
	pkg := "./" + filepath.ToSlash(below)
	if m := &t.changed[i]; len(tests) > 0 && !slices.Contains(m.packages, pkg) {
		m.packages = append(m.packages, pkg)
	}
}

// linted are the directories of modules that changed.
func (t tree) linted() (dirs []string) {
	for _, m := range t.changed {
		dirs = append(dirs, m.dir)
	}
	return dirs
}

// frameworks are those whose tests are quick's whatever has changed: the reference, one
// of the standard library, and one with all that a framework may have.
var frameworks = [...]string{"./frameworks/tcp", "./frameworks/netrpc", "./frameworks/grpc"}

// tested are the modules that quick tests, and the packages of the root's.
func (t tree) tested() (modules, packages []string) {
	for _, dir := range t.modules {
		isChanged := slices.Contains(t.linted(), dir)
		if isChanged || !strings.HasPrefix(dir, "frameworks/") || dir == "frameworks/suite" {
			modules = append(modules, dir)
		}
	}
	packages = append([]string{".", "./codecs/...", "./frameworks/internal/..."}, frameworks[:]...)
	for _, m := range t.changed {
		if m.dir == "." {
			packages = append(packages, m.packages...)
		}
	}
	slices.Sort(packages)
	return modules, slices.Compact(packages)
}
