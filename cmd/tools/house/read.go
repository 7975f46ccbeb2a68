package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// repository is what is counted of a checkout.
type repository struct {
	root     string          // the directory of the checkout
	module   string          // the path of the root's module, with which those of all modules begin
	packages map[string]*pkg // by their directories below the root, "." for the root
	set      *token.FileSet  // of all packages
}

// read reads the repository that has a directory.
func read(dir string) (*repository, error) {
	root, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r := &repository{root: strings.TrimSpace(root), packages: map[string]*pkg{}, set: token.NewFileSet()}
	mod, err := os.ReadFile(filepath.Join(r.root, "go.mod"))
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Sscanf(string(mod), "module %s", &r.module); err != nil {
		return nil, fmt.Errorf("%s/go.mod has no module in its first line", r.root)
	}
	list, err := git(r.root, "ls-files", "-z", "--deduplicate", "*.go")
	if err != nil {
		return nil, err
	}
	for _, file := range strings.FieldsFunc(list, func(c rune) bool { return c == 0 }) {
		if err := r.add(file); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// git runs git in a directory. In a hook git's variables name a repository, which may be
// another.
func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") })
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

// add adds a file to its package, unless it is left out. One that is deleted and not yet
// committed is left out as well.
func (r *repository) add(file string) error {
	if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "testdata/") || strings.Contains(file, "/testdata/") {
		return nil
	}
	dir, name := path.Split(file)
	at := filepath.Join(r.root, filepath.FromSlash(dir))
	match, err := build.Default.MatchFile(at, name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !match {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(at, name))
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(r.set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return err
	}
	r.in(path.Clean(dir)).count(r.set, name, tree)
	return nil
}

// in returns the package of a directory.
func (r *repository) in(dir string) *pkg {
	if r.packages[dir] == nil {
		r.packages[dir] = &pkg{dir: dir}
	}
	return r.packages[dir]
}

// sorted lists the packages by their directories.
func (r *repository) sorted() []*pkg {
	list := slices.Collect(maps.Values(r.packages))
	slices.SortFunc(list, func(a, b *pkg) int { return strings.Compare(a.dir, b.dir) })
	return list
}
