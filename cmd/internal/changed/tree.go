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
	dirs     []string // of its packages that changed
	data     []string // of packages with tests or other files that changed, which no other package sees
	packages []string // of both, the ones with tests, as go test takes them
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

// add adds a file that changed, to the nearest package above it. The tests of all documents
// are the root's.
func (t *tree) add(file string) {
	dir := path.Dir(file)
	of := dir
	for of != "." && !slices.Contains(t.modules, of) {
		of = path.Dir(of)
	}
	for dir != of && len(glob(t.root, dir, "*.go")) == 0 {
		dir = path.Dir(dir)
	}
	seen := path.Base(file) == "go.mod" || path.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go")
	t.addPackage(of, dir, seen)
	if path.Ext(file) == ".md" {
		t.addPackage(".", ".", false)
	}
}

// addPackage adds the package in a directory of a module, and whether others see the change.
func (t *tree) addPackage(of, dir string, seen bool) {
	i := slices.IndexFunc(t.changed, func(m module) bool { return m.dir == of })
	if i < 0 {
		i = len(t.changed)
		t.changed = append(t.changed, module{dir: of})
	}
	m := &t.changed[i]
	list := &m.data
	if seen {
		list = &m.dirs
	}
	if !slices.Contains(*list, dir) {
		*list = append(*list, dir)
	}
	if pkg := relative(of, dir); len(glob(t.root, dir, "*_test.go")) > 0 && !slices.Contains(m.packages, pkg) {
		m.packages = append(m.packages, pkg)
	}
}

// relative is a directory of a module as go test takes it.
func relative(module, dir string) string {
	below, _ := filepath.Rel(module, dir)
	return "./" + filepath.ToSlash(below)
}

func glob(root, dir, pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(root, dir, pattern))
	return files
}

// compiled are the directories of packages that changed and are still there.
func (t tree) compiled(m module) (dirs []string) {
	for _, dir := range slices.Concat(m.dirs, m.data) {
		if len(glob(t.root, dir, "*.go")) > 0 && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// reached are the packages of a module whose tests use a package of it that changed, or
// read another file that did.
func (t tree) reached(m module) (packages []string, err error) {
	cmd := exec.Command("go", "list", "-e", "-test", "-f", `{{.ImportPath}}{{"\t"}}{{with .Module}}{{.Path}}{{end}}{{range .Deps}}{{"\t"}}{{.}}{{end}}`, "./...")
	cmd.Dir, cmd.Env, cmd.Stderr = filepath.Join(t.root, m.dir), environ.Tools(os.Environ()), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: go list: %w", m.dir, err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		name, isTest := strings.CutSuffix(fields[0], ".test")
		if isTest && (m.has(m.dirs, fields[1], append(fields[2:], name)) || m.has(m.data, fields[1], []string{name})) {
			packages = append(packages, name)
		}
	}
	return packages, nil
}

// has reports whether one of the packages, which go list names, is in one of the directories.
// Within a test a package may be "p [p.test]".
func (m module) has(dirs []string, module string, packages []string) bool {
	return slices.ContainsFunc(packages, func(p string) bool {
		p, _, _ = strings.Cut(p, " ")
		below, found := strings.CutPrefix(p+"/", module+"/")
		return found && slices.Contains(dirs, path.Join(m.dir, below))
	})
}
